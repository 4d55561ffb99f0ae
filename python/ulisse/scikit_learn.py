"""What is followed of scikit-learn, which need not be there."""

try:
    from sklearn.base import BaseEstimator, RegressorMixin
    from sklearn.utils import check_random_state
    from sklearn.utils.validation import check_is_fitted
except ImportError:  # scikit-learn is not needed, only followed
    from .without_sklearn import BaseEstimator, RegressorMixin, check_is_fitted, check_random_state, validate_data
else:
    try:
        from sklearn.utils.validation import validate_data
    except ImportError:  # before scikit-learn 1.6 it was a method

        def validate_data(estimator, *arguments, **options):
            return estimator._validate_data(*arguments, **options)
