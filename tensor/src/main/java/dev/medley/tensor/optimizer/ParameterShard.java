package dev.medley.tensor.optimizer;

import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.tensor.FlatBuffer;
import dev.medley.tensor.layout.ParameterGroups;
import dev.medley.tensor.layout.ParameterLayout;
import java.util.List;
import java.util.Optional;

/**
 * Holds a stretch of a model's flat parameters with its moments, in memory of its own, as a
 * parameter server does. Borders may lie anywhere between two elements; each element is moved by
 * the rule of the parameter to which it belongs.
 *
 * <p>Computes in plain Java, so that any thread may call it, and a server's numbers do not depend
 * on its machine. One thread at a time.
 */
public final class ParameterShard implements AutoCloseable {
    private final FlatBuffer parameters;
    private final FlatBuffer gradients;
    private final Optimizer optimizer;
    private final long bytes;

    /**
     * The elements from {@code from} to before {@code to}, all zero; there may be none.
     *
     * @param groups treated differently, as in the whole model
     */
    public ParameterShard(
            OptimizerSpec spec,
            ParameterLayout layout,
            ParameterGroups groups,
            long from,
            long to) {
        long least = Math.max(1, to - from);
        bytes = (to - from) * layout.type().bytes();
        parameters = FlatBuffer.allocate(layout.type(), least);
        gradients = FlatBuffer.allocate(layout.type(), least);
        List<Run> runs =
                Run.of(layout, groups, spec).stream()
                        .map(run -> run.within(from, to))
                        .flatMap(Optional::stream)
                        .toList();
        optimizer = new Optimizer(spec, layout.type(), runs, least, parameters, () -> gradients);
        optimizer.setArithmetic(Arithmetic.STRICT);
    }

    /** The parameters. */
    public Span parameters() {
        return parameters.span().slice(0, bytes);
    }

    /** The gradient that {@link #apply} takes. */
    public Span gradients() {
        return gradients.span().slice(0, bytes);
    }

    /** Moves the parameters by one step along {@code gradients / divisor}, which is spoilt. */
    public void apply(double learningRateFactor, double divisor) {
        optimizer.apply(learningRateFactor, divisor, 1);
    }

    /** Native memory that it holds. */
    public long bytes() {
        long moments = optimizer.state().stream().map(NamedSpan::data).mapToLong(Span::bytes).sum();
        return 2 * bytes + moments;
    }

    @Override
    public void close() {
        optimizer.close();
        gradients.close();
        parameters.close();
    }
}
