// The model of docs/method/model.md with the kernel rbf: y ~ N(0, sigma exp(-tau |x - x'|^2) + lambda I).
// cov_exp_quad has a^2 exp(-|x - x'|^2 / (2 l^2)), so a^2 is sigma and 1 / (2 l^2) is tau.
data {
  int<lower=1> n;
  int<lower=1> d;
  vector[d] x[n];
  vector[n] y;
}
parameters {
  real<lower=0> sigma;
  real<lower=0> tau;
  real<lower=0> lambda;
}
model {
  matrix[n, n] k = cov_exp_quad(x, sqrt(sigma), inv_sqrt(2 * tau));
  for (i in 1:n) k[i, i] += lambda;
  sigma ~ gamma(1, 1);
  tau ~ gamma(1, 1);
  lambda ~ gamma(1, 1);
  y ~ multi_normal_cholesky(rep_vector(0, n), cholesky_decompose(k));
}
