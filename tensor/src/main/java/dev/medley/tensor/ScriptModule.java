package dev.medley.tensor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.NamedJitModule;
import org.bytedeco.pytorch.NamedTensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.named_buffer_iterator;
import org.bytedeco.pytorch.named_module_iterator;
import org.bytedeco.pytorch.named_parameter_iterator;
import org.jspecify.annotations.Nullable;

/**
 * A program in TorchScript with its arrays, read from a file that Python wrote. It is interpreted
 * operator by operator: what LibTorch's optimizer makes of it after some calls would give other
 * bits.
 *
 * <p>Thread: {@link #call} may run on several where nothing is set.
 */
public final class ScriptModule implements AutoCloseable {
    private final JitModule module;
    private final Map<String, JitModule> parts = new HashMap<>();

    private ScriptModule(JitModule module) {
        this.module = module;
        var modules = module.named_modules();
        named_module_iterator end = modules.end();
        for (var at = modules.begin(); at.notEquals(end); at.increment()) {
            NamedJitModule part = at.multiply();
            parts.put(name(part.name()), keep(new JitModule(part.value())));
        }
    }

    /** An empty text comes as null. */
    private static String name(@Nullable BytePointer text) {
        return text == null ? "" : text.getString();
    }

    private static JitModule keep(JitModule module) {
        module.retainReference();
        return module;
    }

    /**
     * Reads a file; {@link Torch#start} comes before.
     *
     * @throws RuntimeException if LibTorch cannot read it; its first line says why
     */
    public static ScriptModule load(Path file) {
        try (MemoryScope scope = MemoryScope.open()) {
            return new ScriptModule(keep(torch.load(file.toString())));
        }
    }

    /** What learns and what does not, by name; valid in the current scope. */
    public Map<String, Tensor> parameters() {
        Map<String, Tensor> found = new LinkedHashMap<>();
        var all = module.named_parameters(true);
        named_parameter_iterator end = all.end();
        for (var at = all.begin(); at.notEquals(end); at.increment()) {
            put(at.multiply(), found);
        }
        return found;
    }

    /** What is remembered beside them, by name; valid in the current scope. */
    public Map<String, Tensor> buffers() {
        Map<String, Tensor> found = new LinkedHashMap<>();
        var all = module.named_buffers(true);
        named_buffer_iterator end = all.end();
        for (var at = all.begin(); at.notEquals(end); at.increment()) {
            put(at.multiply(), found);
        }
        return found;
    }

    private static void put(NamedTensor named, Map<String, Tensor> into) {
        into.put(name(named.name()), new Tensor(named.value()));
    }

    /** Puts a tensor in the place of a parameter or buffer; it is used from now on. */
    public void set(String name, Tensor value) {
        int dot = name.lastIndexOf('.');
        JitModule part =
                Objects.requireNonNull(parts.get(dot < 0 ? "" : name.substring(0, dot)), name);
        part.setattr(name.substring(dot + 1), new IValue(value.at));
    }

    /** Parts that behave otherwise in training do so from now on. */
    public void learn() {
        module.train(true);
    }

    /** They behave as in evaluation from now on, as they do in a file that was saved so. */
    public void judge() {
        module.eval();
    }

    /** All arrays with fractions are FLOAT64 from now on. */
    public void widen() {
        module.to(torch.ScalarType.Double);
    }

    /**
     * What the program makes of these.
     *
     * @throws RuntimeException if it fails, or gives anything but one tensor
     */
    public Tensor call(List<Tensor> inputs) {
        torch.setGraphExecutorOptimize(false); // Of this thread.
        IValueVector values = new IValueVector();
        for (Tensor input : inputs) {
            values.push_back(new IValue(input.at));
        }
        IValue result = module.forward(values);
        if (!result.isTensor()) {
            throw new IllegalStateException("it gives something else than one tensor");
        }
        return new Tensor(result.toTensor());
    }

    /** Draws of the program on this machine depend on {@code random} alone from now on. */
    public static void restart(RandomStream random) {
        torch.manual_seed(random.seed());
    }

    /** Writes it so that Python loads it: {@code torch.jit.load}. */
    public void save(Path file) {
        module.save(file.toString());
    }

    @Override
    public void close() {
        List<JitModule> all = new ArrayList<>(parts.values());
        all.add(module);
        all.forEach(JitModule::releaseReference);
    }
}
