// matern32(east,north) + periodic(day,1)*rbf(day), a trend in day, and noise known by row:
// coefficients are parameters here, which ulisse integrates out.
data {
  int<lower=1> n;
  vector[n] east;
  vector[n] north;
  vector[n] day;
  vector[n] error;
  vector[n] y;
}
parameters {
  vector<lower=0>[2] sigma;
  real<lower=0> tau_space;
  real<lower=0> tau_circle;
  real<lower=0> tau_day;
  real<lower=0> lambda;
  real intercept;
  real slope;
}
model {
  matrix[n, n] k;
  for (i in 1:n) {
    k[i, i] = sigma[1] + sigma[2] + lambda + square(error[i]);
    for (j in 1:(i - 1)) {
      real a = sqrt(3 * tau_space * (square(east[i] - east[j]) + square(north[i] - north[j])));
      real t = day[i] - day[j];
      k[i, j] = sigma[1] * (1 + a) * exp(-a)
                + sigma[2] * exp(-4 * tau_circle * square(sin(pi() * t)) - tau_day * square(t));
      k[j, i] = k[i, j];
    }
  }
  sigma ~ gamma(1, 1);
  tau_space ~ gamma(1, 1);
  tau_circle ~ gamma(1, 1);
  tau_day ~ gamma(1, 1);
  lambda ~ gamma(1, 1);
  intercept ~ normal(0, 10);
  slope ~ normal(0, 10);
  y ~ multi_normal_cholesky(intercept + slope * day, cholesky_decompose(k));
}
