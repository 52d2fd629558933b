package dev.medley.spark.cluster;

import dev.ludovic.netlib.blas.BLAS;
import dev.ludovic.netlib.lapack.LAPACK;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the BLAS of Spark's MLlib before LibTorch loads its own. Where a system has OpenBLAS,
 * {@code libblas.so.3} asks for {@code libopenblas.so.0} by that name, and is given LibTorch's, of
 * another version, if that is there already: MLlib's sums in the same process are wrong from then
 * on, or it crashes. The other way round both have their own.
 *
 * <p>Thread: any.
 */
public final class SparkBlas {
    private static final Logger LOG = LoggerFactory.getLogger(SparkBlas.class);

    private SparkBlas() {}

    /** To be called in a process of Spark before anything of LibTorch is. */
    public static void load() {
        try {
            LOG.debug(
                    "MLlib's BLAS: {}, LAPACK: {}",
                    BLAS.getInstance().getClass().getSimpleName(),
                    LAPACK.getInstance().getClass().getSimpleName());
        } catch (LinkageError e) {
            LOG.debug("this Spark has no MLlib", e);
        }
    }
}
