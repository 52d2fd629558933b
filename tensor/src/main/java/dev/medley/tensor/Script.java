package dev.medley.tensor;

import org.bytedeco.pytorch.CompilationUnit;
import org.bytedeco.pytorch.Function;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.QualifiedName;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/**
 * Calls a TorchScript function that is compiled in this process. It gives access to operators that
 * have no Java method, such as the fused optimizers. A script must return what it changes, or the
 * change is dropped as dead code. Thread-safe.
 */
public final class Script {
    private final CompilationUnit unit;
    private final Function function;

    /** Compiles {@code source}, which defines {@code name}. */
    public Script(String name, String source) {
        unit = torch.compile(source);
        unit.retainReference();
        function = unit.find_function(new QualifiedName(name));
        function.retainReference();
    }

    /** Calls the function with tensors, doubles, longs, booleans or null; its result is dropped. */
    public void call(@Nullable Object... arguments) {
        IValueVector values = new IValueVector();
        for (@Nullable Object argument : arguments) {
            values.push_back(value(argument));
        }
        function.apply(values).close();
    }

    private static IValue value(@Nullable Object argument) {
        if (argument == null) {
            return new IValue();
        } else if (argument instanceof Tensor tensor) {
            return new IValue(tensor.at);
        } else if (argument instanceof Double number) {
            return new IValue(number.doubleValue());
        } else if (argument instanceof Long number) {
            return new IValue(number.longValue());
        } else if (argument instanceof Boolean flag) {
            return new IValue(flag.booleanValue());
        }
        throw new IllegalArgumentException("a script takes no " + argument.getClass());
    }
}
