package dev.medley.tensor.model;

import dev.medley.base.job.Signature;

/**
 * Builds a user's own kind of model, named in a job by its class. The class has a constructor
 * without parameters, or one that takes the job's options as a {@code Map<String, String>}.
 */
@FunctionalInterface
public interface Architecture {
    /** A network of fresh layers that takes the signature's inputs and gives its outputs. */
    Network build(Signature signature);
}
