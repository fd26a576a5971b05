"""Mean test nats of mixtures of Gaussians: JSON in, of each draw its training, validation and test points; JSON out.

The validation points choose the components and whether covariances are full or diagonal.
"""

import json
import sys
import warnings

import numpy as np
from sklearn.mixture import GaussianMixture

warnings.simplefilter("ignore")


def nats_of(train, valid, test):
    best = None
    for covariance in ["full", "diag"]:
        for components in [1, 2, 3, 5, 10, 20, 30]:
            if components * 5 > len(train):
                continue
            mixture = GaussianMixture(components, covariance_type=covariance, reg_covar=1e-3, random_state=0).fit(train)
            score = mixture.score(valid)
            if best is None or score > best[0]:
                best = score, mixture
    return best[1].score(test)


draws = json.load(sys.stdin)
json.dump([nats_of(*(np.array(draw[name]) for name in ["train", "valid", "test"])) for draw in draws], sys.stdout)
