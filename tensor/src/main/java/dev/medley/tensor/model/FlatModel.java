package dev.medley.tensor.model;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.tensor.FlatBuffer;
import dev.medley.tensor.MemoryScope;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Parameter;
import dev.medley.tensor.layer.RunningMoments;
import dev.medley.tensor.layout.InitialValues;
import dev.medley.tensor.layout.ParameterGroups;
import dev.medley.tensor.layout.ParameterLayout;
import dev.medley.tensor.layout.Slot;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.tensor.optimizer.ParameterShard;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Holds a network's parameters, statistics and gradients, each in one flat buffer. */
final class FlatModel implements AutoCloseable {
    private final ParameterLayout layout;
    private final ParameterGroups groups;
    private final FlatBuffer parameters;
    private final FlatBuffer statistics;
    private final FlatBuffer constants;
    private final List<Tensor> parameterViews = new ArrayList<>();
    private final List<Tensor> statisticViews = new ArrayList<>();
    private final List<Tensor> constantViews = new ArrayList<>();
    private final List<RunningMoments> moments = new ArrayList<>();
    private final GradientCollector collector;
    private FlatBuffer gradients;

    private FlatModel(Declaration declaration, ParameterLayout layout, ParameterGroups groups) {
        this.layout = layout;
        this.groups = groups;
        parameters = FlatBuffer.allocate(layout.type(), layout.elements());
        statistics = FlatBuffer.allocate(layout.type(), layout.statisticElements());
        constants = FlatBuffer.allocate(layout.type(), layout.constantElements());
        gradients = FlatBuffer.allocate(layout.type(), layout.elements());
        List<Tensor> leaves = new ArrayList<>();
        for (Slot slot : layout.slots()) {
            Tensor view = GradientCollector.view(parameters, slot).detach().keep();
            if (slot.isTrainable()) {
                leaves.add(view.requireGradient());
            }
            parameterViews.add(view);
            parameter(declaration.parameters(), slot).bind(view);
        }
        for (Slot slot : layout.statistics()) {
            Tensor view = GradientCollector.view(statistics, slot).keep();
            statisticViews.add(view);
            parameter(declaration.statistics(), slot).bind(view);
        }
        for (Slot slot : layout.constants()) {
            Tensor view = GradientCollector.view(constants, slot).keep();
            constantViews.add(view);
            parameter(declaration.constants(), slot).bind(view);
        }
        for (Declaration.Moments each : declaration.moments()) {
            each.running().lieAt(offset(each.mean()), offset(each.variance()));
            moments.add(each.running());
        }
        collector = new GradientCollector(layout, leaves, gradients);
        for (int slot = 0; slot < layout.slots().size(); slot++) {
            int leaf = collector.leaf(slot);
            if (leaf >= 0) {
                Slot place = layout.slots().get(slot);
                collector.linear().know(parameter(declaration.parameters(), place), leaf);
            }
        }
    }

    static FlatModel of(Network network, ParameterGroups groups, ReplicaOptions options) {
        Declaration declaration = new Declaration();
        network.declare(declaration);
        groups.check(declaration.parameters().keySet());
        boolean isDouble = options.precision() == Precision.FP64;
        ElementType type = isDouble ? ElementType.FLOAT64 : ElementType.FLOAT32;
        ParameterLayout layout =
                ParameterLayout.of(declaration, groups, type, options.imageOrder());
        FlatModel model = new FlatModel(declaration, layout, groups);
        model.initialise(declaration, options.seed());
        return model;
    }

    ParameterLayout layout() {
        return layout;
    }

    FlatBuffer parameters() {
        return parameters;
    }

    FlatBuffer statistics() {
        return statistics;
    }

    FlatBuffer gradients() {
        return gradients;
    }

    private long offset(String statistic) {
        return layout.statistics().stream()
                .filter(slot -> slot.name().equals(statistic))
                .mapToLong(Slot::offset)
                .findFirst()
                .orElseThrow();
    }

    /** The moments that normalisations remember, in the order of declaration. */
    List<RunningMoments> moments() {
        return moments;
    }

    GradientCollector collector() {
        return collector;
    }

    Optimizer optimizer(OptimizerSpec spec) {
        return new Optimizer(spec, layout, groups, parameters, () -> gradients);
    }

    Optimizer uniformOptimizer(OptimizerSpec spec) {
        ParameterGroups none = new ParameterGroups(List.of());
        return new Optimizer(spec, layout, none, parameters, () -> gradients);
    }

    ParameterShard shard(OptimizerSpec spec, long from, long to) {
        return new ParameterShard(spec, layout, groups, from, to);
    }

    void bindGradients(Span memory) {
        if (memory.bytes() != layout.gradientBytes()) {
            throw new IllegalArgumentException(
                    "gradients need "
                            + layout.gradientBytes()
                            + " bytes, but are given "
                            + memory.bytes());
        }
        FlatBuffer old = gradients;
        gradients = FlatBuffer.over(layout.type(), memory);
        collector.bind(gradients);
        old.close();
    }

    /** Draws every parameter from the seed and its own name. */
    private void initialise(Declaration declaration, long seed) {
        try (MemoryScope scope = MemoryScope.open()) {
            for (int i = 0; i < layout.slots().size(); i++) {
                draw(declaration.parameters(), layout.slots().get(i), parameterViews.get(i), seed);
            }
            for (int i = 0; i < layout.statistics().size(); i++) {
                Slot slot = layout.statistics().get(i);
                draw(declaration.statistics(), slot, statisticViews.get(i), seed);
            }
        }
    }

    private static void draw(Map<String, Parameter> declared, Slot slot, Tensor view, long seed) {
        HostArray values = HostArray.allocate(ElementType.FLOAT64, slot.dimensions());
        Iterator<ByteBuffer> pieces = values.data().buffers().iterator();
        ByteBuffer[] piece = {pieces.next()};
        InitialValues.draw(
                parameter(declared, slot),
                slot,
                seed,
                value -> {
                    piece[0] = piece[0].hasRemaining() ? piece[0] : pieces.next();
                    piece[0].putDouble(value);
                });
        view.detach().set(Tensor.aliasOf(values));
    }

    List<NamedSpan> export() {
        List<NamedSpan> arrays = new ArrayList<>();
        try (MemoryScope scope = MemoryScope.open()) {
            eachArray(
                    (slot, view) -> {
                        HostArray copy = view.toHostArray(layout.type());
                        arrays.add(
                                new NamedSpan(slot.name(), copy.type(), copy.shape(), copy.data()));
                    });
        }
        return arrays;
    }

    void load(List<NamedSpan> arrays) {
        load(arrays, name -> false);
    }

    /** Those of such names stay as they were drawn where no array fits. */
    void load(List<NamedSpan> arrays, Predicate<String> mayStay) {
        Map<String, NamedSpan> byName =
                arrays.stream().collect(Collectors.toMap(NamedSpan::name, Function.identity()));
        BiConsumer<Slot, Tensor> check =
                (slot, view) -> {
                    NamedSpan array = byName.get(slot.name());
                    check(
                            fits(array, slot) || mayStay.test(slot.name()),
                            "the model has no array \"%s\" of shape %s: it has %s",
                            slot.name(),
                            slot.shape(),
                            array == null ? byName.keySet() : array);
                };
        BiConsumer<Slot, Tensor> take =
                (slot, view) -> {
                    NamedSpan array = byName.get(slot.name());
                    if (array != null && fits(array, slot)) {
                        view.detach()
                                .set(
                                        Tensor.aliasOf(
                                                new HostArray(
                                                        array.type(),
                                                        array.shape(),
                                                        array.data())));
                    }
                };
        try (MemoryScope scope = MemoryScope.open()) {
            eachArray(check);
            eachConstant(check);
            eachArray(take);
            eachConstant(take);
        }
    }

    private static boolean fits(@Nullable NamedSpan array, Slot slot) {
        return array != null && Arrays.equals(array.shape(), slot.dimensions());
    }

    private void eachConstant(BiConsumer<Slot, Tensor> action) {
        for (int i = 0; i < constantViews.size(); i++) {
            action.accept(layout.constants().get(i), constantViews.get(i));
        }
    }

    private void eachArray(BiConsumer<Slot, Tensor> action) {
        for (int i = 0; i < parameterViews.size(); i++) {
            action.accept(layout.slots().get(i), parameterViews.get(i));
        }
        for (int i = 0; i < statisticViews.size(); i++) {
            action.accept(layout.statistics().get(i), statisticViews.get(i));
        }
    }

    void requireFlat() {
        eachArray(
                (slot, view) -> {
                    boolean isStatistic = layout.statistics().contains(slot);
                    FlatBuffer home = isStatistic ? statistics : parameters;
                    long expected = home.tensor().address() + slot.offset() * layout.type().bytes();
                    if (view.address() != expected) {
                        throw new IllegalStateException(
                                slot.name()
                                        + " was re-pointed out of the flat buffer: layers must use"
                                        + " Parameter.value() and leave its memory in place");
                    }
                });
    }

    private static Parameter parameter(Map<String, Parameter> declared, Slot slot) {
        return Objects.requireNonNull(declared.get(slot.name()));
    }

    @Override
    public void close() {
        parameterViews.forEach(Tensor::release);
        statisticViews.forEach(Tensor::release);
        parameters.close();
        statistics.close();
        constantViews.forEach(Tensor::release);
        constants.close();
        gradients.close();
    }
}
