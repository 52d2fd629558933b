package dev.medley.tensor.optimizer;

import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.tensor.FlatBuffer;
import dev.medley.tensor.MemoryScope;
import dev.medley.tensor.Torch;
import dev.medley.tensor.layout.ParameterGroups;
import dev.medley.tensor.layout.ParameterLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Moves parameters along the gradient by one rule, with PyTorch's definitions: SGD with momentum
 * (Sutskever et al. 2013), Adam (Kingma, Ba 2015), AdamW (Loshchilov, Hutter 2019), RMSprop
 * (Tieleman, Hinton 2012), Adagrad (Duchi, Hazan, Singer 2011). All parameters of one treatment are
 * updated in one pass over memory.
 *
 * <p>Belongs to the thread that runs the steps. Its moments are as large as the parameters, each.
 */
public final class Optimizer implements AutoCloseable {
    private final OptimizerSpec spec;
    private final ElementType type;
    private final List<Run> runs;
    private final FlatBuffer parameters;
    private final Supplier<FlatBuffer> gradients;
    private final List<String> momentNames;
    private final List<FlatBuffer> moments = new ArrayList<>();
    private final Span steps = Span.allocate(Long.BYTES);
    private final UpdateRule fused = new FusedRule();
    private final UpdateRule strict = new StrictRule();
    private Arithmetic arithmetic = Arithmetic.LIBTORCH;
    private long varianceSteps = Long.MAX_VALUE;

    /**
     * An optimizer with zero moments.
     *
     * @param gradients looked up at each step, as they may move
     */
    public Optimizer(
            OptimizerSpec spec,
            ParameterLayout layout,
            ParameterGroups groups,
            FlatBuffer parameters,
            Supplier<FlatBuffer> gradients) {
        this(
                spec,
                layout.type(),
                Run.of(layout, groups, spec),
                layout.elements(),
                parameters,
                gradients);
    }

    /** An optimizer of the elements that a shard holds. */
    Optimizer(
            OptimizerSpec spec,
            ElementType type,
            List<Run> runs,
            long elements,
            FlatBuffer parameters,
            Supplier<FlatBuffer> gradients) {
        this.spec = spec;
        this.type = type;
        this.runs = runs;
        this.parameters = parameters;
        this.gradients = gradients;
        this.momentNames = momentNames(spec);
        momentNames.forEach(name -> moments.add(FlatBuffer.allocate(type, elements)));
    }

    private static List<String> momentNames(OptimizerSpec spec) {
        return switch (spec.kind()) {
            case ADAM, ADAMW -> List.of("exp_avg", "exp_avg_sq");
            case SGD -> spec.momentum() > 0 ? List.of("momentum_buffer") : List.of();
            case ADAGRAD -> List.of("sum");
            case LBFGS -> throw new IllegalStateException("no rule by gradients of batches");
            case RMSPROP ->
                    spec.momentum() > 0
                            ? List.of("square_avg", "momentum_buffer")
                            : List.of("square_avg");
        };
    }

    /** Sets the arithmetic of updates from now on; moments are kept. */
    public void setArithmetic(Arithmetic arithmetic) {
        this.arithmetic = arithmetic;
    }

    /**
     * Adam's variance is that of so many first updates and stays as it is then; later updates are
     * computed in plain Java, since LibTorch has no kernel for them.
     */
    public void learnVarianceFor(long updates) {
        varianceSteps = updates;
    }

    /** The arithmetic of updates. */
    public Arithmetic arithmetic() {
        return arithmetic;
    }

    /**
     * Takes one step with {@code gradients / gradientDivisor * clipScale}. What the gradients'
     * memory holds afterwards is undefined.
     *
     * @param learningRateFactor of the schedule
     * @param gradientDivisor the total weight of the step
     * @param clipScale 1, or below to shorten a long gradient
     */
    public void apply(double learningRateFactor, double gradientDivisor, double clipScale) {
        long step = steps.buffer().getLong(0) + 1;
        double divisor = gradientDivisor / clipScale;
        UpdateRule rule = rule(step);
        try (MemoryScope scope = MemoryScope.open()) {
            for (Run run : runs) {
                double rate = run.learningRate() * learningRateFactor;
                move(rule, update(run, rate, divisor, step));
            }
        }
        steps.buffer().putLong(0, step);
    }

    /**
     * Takes the step with the elements from {@code from} to before {@code to} alone, at the rate of
     * the rule. The others follow by further calls, in any order; {@link #stepped} ends the step.
     *
     * @param gradientDivisor what the gradients of these elements are divided by
     */
    public void applyWithin(long from, long to, double gradientDivisor) {
        long step = steps.buffer().getLong(0) + 1;
        UpdateRule rule = rule(step);
        try (MemoryScope scope = MemoryScope.open()) {
            for (Run run : runs) {
                run.within(from, to)
                        .map(part -> part.movedBy(from))
                        .map(part -> update(part, part.learningRate(), gradientDivisor, step))
                        .ifPresent(update -> move(rule, update));
            }
        }
    }

    /**
     * Where a gradient is 0, in a unit that is never active, a mean that decays by 0.9 a step is
     * subnormal after some 800 steps: an update would take up to twice as long from then on.
     */
    private void move(UpdateRule rule, OptimizerUpdate update) {
        FlatBuffer gradient = gradients.get();
        Torch.flushingSubnormals(() -> rule.apply(update, parameters, gradient, moments));
        if (update.run().l1() > 0) {
            Shrinkage.apply(update.run(), update.learningRate(), parameters);
        }
    }

    private UpdateRule rule(long step) {
        return arithmetic == Arithmetic.LIBTORCH && step <= varianceSteps ? fused : strict;
    }

    private OptimizerUpdate update(Run run, double rate, double divisor, long step) {
        return new OptimizerUpdate(spec, run, rate, divisor, step, Math.min(step, varianceSteps));
    }

    /** Counts the step that {@link #applyWithin} took. */
    public void stepped() {
        steps.buffer().putLong(0, steps.buffer().getLong(0) + 1);
    }

    /**
     * Everything that a checkpoint needs: the count of updates and the moments, by the names that
     * PyTorch gives them. The spans are the state itself: writing them restores it.
     */
    public List<NamedSpan> state() {
        List<NamedSpan> state = new ArrayList<>();
        state.add(new NamedSpan("optimizer.step", ElementType.INT64, new long[] {1}, steps));
        for (int i = 0; i < moments.size(); i++) {
            Span span = moments.get(i).span();
            long[] shape = {span.bytes() / type.bytes()};
            state.add(new NamedSpan("optimizer." + momentNames.get(i), type, shape, span));
        }
        return state;
    }

    @Override
    public void close() {
        moments.forEach(FlatBuffer::close);
    }
}
