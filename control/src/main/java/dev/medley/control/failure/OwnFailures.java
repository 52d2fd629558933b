package dev.medley.control.failure;

import dev.medley.control.watch.RunWatcher;
import dev.medley.net.control.ProtocolException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Tells a watcher's own exceptions, which end the run, from those that a caller causes, which do
 * not. What a watcher cannot read in a worker's message is the worker's fault.
 */
public final class OwnFailures {
    private final RunWatcher watched;
    private @Nullable Throwable last;
    private boolean isSilent;

    /** Tells {@code watcher} each failure, unless it is the watcher's own. */
    public OwnFailures(RunWatcher watcher) {
        watched =
                (RunWatcher)
                        Proxy.newProxyInstance(
                                RunWatcher.class.getClassLoader(),
                                new Class<?>[] {RunWatcher.class},
                                (proxy, method, arguments) ->
                                        isSilent
                                                ? InvocationHandler.invokeDefault(
                                                        proxy, method, arguments)
                                                : call(watcher, method, arguments));
    }

    /** The watcher, with its exceptions noted. */
    public RunWatcher watched() {
        return watched;
    }

    /** The watcher is told of nothing more: it threw, and would throw again. */
    void silence() {
        isSilent = true;
    }

    /** Whether the watcher threw that. */
    boolean has(RuntimeException thrown) {
        return thrown == last;
    }

    /** The same exception; throws it on if the watcher threw it. */
    public RuntimeException unlessOwn(RuntimeException thrown) {
        if (has(thrown)) {
            throw thrown;
        }
        return thrown;
    }

    private @Nullable Object call(RunWatcher watcher, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(watcher, arguments);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getTargetException();
            boolean isCallers =
                    cause instanceof JacksonException || cause instanceof ProtocolException;
            last = isCallers ? last : cause;
            throw cause;
        }
    }
}
