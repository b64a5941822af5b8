"""Which documents are alike: weights of terms by TF-IDF, and the cosines between all documents, kept sparse."""

import numpy as np
import scipy.sparse as sp

import lacuna


def cosines(counts: sp.csr_array) -> lacuna.Tensor:
    """counts[d, t]: how often document d has term t."""
    documents = counts.shape[0]
    frequency = np.bincount(counts.indices, minlength=counts.shape[1])
    inverse = np.log((1 + documents) / (1 + frequency)) + 1
    weights = lacuna.evaluate("W(d,t) = C(d,t) * f(t)", C=counts, f=inverse)
    norm = np.asarray(np.sqrt((weights * weights).sum(axis=1)))
    return lacuna.evaluate("S(d,e) = W(d,t) * W(e,t) / n(d) / n(e)", W=weights, n=norm)


def main(documents: int = 300, terms: int = 2000) -> None:
    rng = np.random.default_rng(6)
    counts = sp.random_array((documents, terms), density=0.02, format="csr", rng=rng)
    counts.data = np.ceil(counts.data * 5)
    counts = sp.csr_array(sp.vstack([counts, counts[[7]] * 2]))  # the last document says everything of number 7 twice
    alike = cosines(counts).to_scipy()
    assert np.isclose(alike[7, documents], 1) and np.allclose(alike.diagonal(), 1)
    print(f"{alike.shape[0]} documents, {alike.nnz} cosines that are not 0; document {documents} is like document 7")


if __name__ == "__main__":
    main()
