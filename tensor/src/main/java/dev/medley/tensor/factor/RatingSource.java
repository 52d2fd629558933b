package dev.medley.tensor.factor;

import dev.medley.base.memory.Batch;
import java.util.function.Consumer;

/** Hands over all training samples, in file order, whenever it is asked to. */
@FunctionalInterface
public interface RatingSource {
    /** Hands over all samples, batch by batch; a batch is valid until the next one. */
    void each(Consumer<Batch> taker);
}
