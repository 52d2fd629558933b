package dev.medley.tensor.script;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.NamedSpan;
import dev.medley.tensor.Autograd;
import dev.medley.tensor.MemoryScope;
import dev.medley.tensor.ScriptModule;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Initializer;
import dev.medley.tensor.layer.Parameter;
import dev.medley.tensor.layer.Pass;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A network that is a program in TorchScript. Its parameters begin with the file's values and have
 * the file's names; one that stands in several places is one. What does not learn in the file stays
 * as it is there, and so do whole numbers that it remembers; other buffers are statistics.
 *
 * <p>The program is held twice, for training and for evaluation, over the same arrays.
 */
public final class ScriptedNetwork {
    private final ScriptModule learning;
    private final ScriptModule judging;
    private final Map<String, Parameter> parameters = new LinkedHashMap<>();
    private final Map<String, Parameter> statistics = new LinkedHashMap<>();

    /** Other places of an array, by the name that it has here. */
    private final Map<String, List<String>> alsoAt = new LinkedHashMap<>();

    private boolean isBound;

    private ScriptedNetwork(ScriptModule learning, ScriptModule judging) {
        this.learning = learning;
        this.judging = judging;
    }

    /**
     * The network of a file, which was tried on two samples of zeros.
     *
     * @throws ConfigException if the file cannot be used (see {@link ScriptFile}), has nothing that
     *     learns, or does not take these inputs or give such outputs
     */
    public static ScriptedNetwork of(ModelSpec.TorchScript spec, Signature signature) {
        Path file = Path.of(spec.file());
        ScriptedNetwork network =
                new ScriptedNetwork(
                        ScriptFile.load(file, spec.sha256()), ScriptFile.load(file, spec.sha256()));
        try {
            network.begin(file, signature);
            return network;
        } catch (RuntimeException e) {
            network.close();
            throw e;
        }
    }

    private void begin(Path file, Signature signature) {
        learning.learn();
        judging.judge();
        find();
        check(
                !parameters.isEmpty(),
                "model.file: %s has no parameters that learn: give a network that was not frozen,"
                        + " with nn.Parameter arrays of requires_grad=True",
                file);
        tryOut(file, signature);
    }

    /**
     * Writes the program of a file with other arrays, so that Python loads it.
     *
     * @param weights by the names that the network has
     */
    public static void write(ModelSpec.TorchScript spec, List<NamedSpan> weights, Path to) {
        ScriptModule module = ScriptFile.load(Path.of(spec.file()), spec.sha256());
        ScriptedNetwork network = new ScriptedNetwork(module, module);
        network.find();
        module.judge();
        try (MemoryScope scope = MemoryScope.open();
                module) {
            for (NamedSpan array : weights) {
                Tensor value =
                        Tensor.aliasOf(new HostArray(array.type(), array.shape(), array.data()))
                                .to(ElementType.FLOAT32);
                Tensor own = Tensor.zeros(ElementType.FLOAT32, array.shape());
                own.set(value);
                boolean learns = network.parameters.containsKey(array.name());
                network.set(array.name(), learns ? own.requireGradient() : own, module);
            }
            module.save(to);
        }
    }

    private void find() {
        Map<Long, String> known = new LinkedHashMap<>();
        try (MemoryScope scope = MemoryScope.open()) {
            learning.parameters()
                    .forEach(
                            (name, tensor) -> {
                                if (tensor.requiresGradient()) {
                                    declare(name, tensor, known, parameters);
                                }
                            });
            learning.buffers()
                    .forEach(
                            (name, tensor) -> {
                                if (tensor.isFloating() && tensor.count() > 0) {
                                    declare(name, tensor, known, statistics);
                                }
                            });
        }
    }

    private void declare(
            String name, Tensor tensor, Map<Long, String> known, Map<String, Parameter> into) {
        String first = known.putIfAbsent(tensor.address(), name);
        if (first != null) {
            alsoAt.computeIfAbsent(first, each -> new ArrayList<>()).add(name);
            return;
        }
        HostArray values = tensor.toHostArray(ElementType.FLOAT64);
        into.put(name, Parameter.of(Initializer.values(values), tensor.shape()));
    }

    /** Declares parameters and statistics, in the file's order. */
    public void declare(Declaration declaration) {
        parameters.forEach(declaration::parameter);
        statistics.forEach(declaration::statistic);
    }

    /** The program's outputs. */
    public Tensor forward(List<Tensor> inputs, Pass pass) {
        bind();
        if (!pass.isTraining()) {
            return judging.call(inputs);
        }
        ScriptModule.restart(pass.random());
        return learning.call(inputs);
    }

    /** The program computes with the flat buffer's views from the first pass on. */
    private synchronized void bind() {
        if (isBound) {
            return;
        }
        boolean isDouble =
                parameters.values().iterator().next().value().type() == ElementType.FLOAT64;
        for (ScriptModule module : List.of(learning, judging)) {
            if (isDouble) {
                module.widen();
            }
            parameters.forEach((name, parameter) -> set(name, parameter.value(), module));
            statistics.forEach((name, statistic) -> set(name, statistic.value(), module));
        }
        isBound = true;
    }

    private void set(String name, Tensor value, ScriptModule module) {
        module.set(name, value);
        alsoAt.getOrDefault(name, List.of()).forEach(other -> module.set(other, value));
    }

    /** Frees the program; the arrays are the model's. */
    public void close() {
        learning.close();
        judging.close();
    }

    private void tryOut(Path file, Signature signature) {
        long[] expected = outputs(signature);
        String inputs = inputs(signature);
        try (MemoryScope scope = MemoryScope.open();
                Autograd.Switch off = Autograd.withoutGradient()) {
            List<Tensor> zeros = new ArrayList<>();
            for (Input input : signature.inputs()) {
                boolean isIndex = !input.cardinalities().isEmpty();
                zeros.add(
                        Tensor.zeros(
                                isIndex ? ElementType.INT64 : ElementType.FLOAT32, shape(input)));
            }
            long[] found = call(file, zeros, inputs).shape();
            check(
                    Arrays.equals(found, expected),
                    "model.file: %s gives outputs of shape %s for two samples, and the data asks"
                            + " for %s: one output for a number or two classes, else one a class",
                    file,
                    Arrays.toString(found),
                    Arrays.toString(expected));
        }
    }

    private Tensor call(Path file, List<Tensor> zeros, String inputs) {
        try {
            return judging.call(zeros);
        } catch (RuntimeException e) {
            throw new ConfigException(
                    "model.file: %s does not take what the data gives, %s: %s"
                            .formatted(file, inputs, ScriptFile.firstLine(e)),
                    e);
        }
    }

    private static long[] shape(Input input) {
        long[] shape = new long[1 + input.shape().size()];
        shape[0] = 2;
        for (int i = 0; i < input.shape().size(); i++) {
            shape[i + 1] = input.shape().get(i);
        }
        return shape;
    }

    private static long[] outputs(Signature signature) {
        int outputs = signature.target().outputs();
        return signature.target().kind() == TargetKind.TOKENS
                ? new long[] {2, signature.inputs().get(0).shape().get(0), outputs}
                : new long[] {2, outputs};
    }

    private static String inputs(Signature signature) {
        return signature.inputs().stream()
                .map(
                        input ->
                                "%s %s%s"
                                        .formatted(
                                                input.name(),
                                                input.cardinalities().isEmpty() ? "float" : "int64",
                                                Arrays.toString(shape(input))))
                .collect(Collectors.joining(", "));
    }
}
