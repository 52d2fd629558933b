package dev.medley.training.bucket;

import dev.medley.base.Fault;
import dev.medley.base.memory.Span;
import dev.medley.exchange.Collective;
import dev.medley.tensor.layout.ParameterLayout;
import dev.medley.tensor.lowrank.FactorLayout;
import dev.medley.tensor.lowrank.LowRankGradients;
import org.jspecify.annotations.Nullable;

/**
 * Sums all ranks' gradients by their factors ({@link LowRankGradients}): two small slices one
 * behind the other in the place of the gradients. Its memory of earlier steps begins anew with
 * every group, as residuals of codecs do, so that a recorded run repeats whichever workers came and
 * went.
 */
public final class LowRankSum implements AutoCloseable {
    private final Collective collective;
    private final ExchangeLayout layout;
    private final FactorLayout factors;
    private final LowRankGradients gradients;

    /** Bytes of exchange memory that factors of this rank take. */
    public static long bytes(ParameterLayout parameters, int rank) {
        return FactorLayout.of(parameters, rank).bytes();
    }

    /**
     * Sums in a collective's memory.
     *
     * @param layout of it, with {@link #bytes} for the factors
     * @param seed of the run
     */
    public LowRankSum(
            Collective collective,
            ExchangeLayout layout,
            ParameterLayout parameters,
            int rank,
            long seed) {
        this.collective = collective;
        this.layout = layout;
        this.factors = FactorLayout.of(parameters, rank);
        Span memory = collective.buffer();
        this.gradients =
                new LowRankGradients(
                        factors,
                        memory.slice(0, layout.gradientBytes()),
                        memory.slice(layout.factorOffset(), factors.bytes()),
                        seed);
    }

    /**
     * The gradients are complete: hands the left factors over.
     *
     * @param unit what the sum will be divided by
     */
    void offer(long step, double unit) {
        gradients.project(step, unit);
        if (factors.leftBytes() > 0) {
            collective.sum(layout.factorOffset(), factors.leftBytes(), layout.elementType());
        }
    }

    /**
     * Waits for the left factors and hands over what follows from them; the fault that ended the
     * step, if one did.
     */
    @Nullable Fault turn() {
        Fault fault = factors.leftBytes() > 0 ? collective.finish() : null;
        if (fault == null) {
            gradients.turn();
            collective.sum(
                    layout.factorOffset() + factors.rightOffset(),
                    factors.secondBytes(),
                    layout.elementType());
        }
        return fault;
    }

    /** Does what is left to do while the rest travels. */
    void keepRest() {
        gradients.keepRest();
    }

    /** All is summed: the sum lies where the gradients lay. */
    void restore() {
        gradients.restore();
    }

    /** The step was applied; else the next one begins where it began. */
    void applied() {
        gradients.applied();
    }

    /** Bytes of factors and of what travels beside them, in a step. */
    long bytes() {
        return factors.leftBytes() + factors.secondBytes();
    }

    @Override
    public void close() {
        gradients.close();
    }
}
