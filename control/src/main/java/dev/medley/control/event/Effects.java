package dev.medley.control.event;

import dev.medley.control.event.Effect.Manner;
import dev.medley.net.control.Message;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** Collects effects until they are taken. Owned by whoever handles the event. */
public final class Effects {
    private List<Effect> collected = new ArrayList<>();

    /** One more. */
    public void add(Effect effect) {
        collected.add(effect);
    }

    /** A message. */
    public void send(CallerId to, Message message) {
        add(new Effect.Send(to, message));
    }

    /** The same message to several. */
    public void send(Collection<CallerId> to, Message message) {
        to.forEach(each -> send(each, message));
    }

    /** The end of a connection. */
    public void hangUp(CallerId who, Manner how) {
        add(new Effect.HangUp(who, how));
    }

    /** All that was collected since the last time, in order. */
    public List<Effect> take() {
        List<Effect> taken = collected;
        collected = new ArrayList<>();
        return taken;
    }

    /**
     * A watcher whose calls become effects.
     *
     * @param watcher interface that has default methods only; what they return is returned
     */
    public <T> T told(Class<T> watcher) {
        return watcher.cast(
                Proxy.newProxyInstance(
                        watcher.getClassLoader(),
                        new Class<?>[] {watcher},
                        (proxy, method, arguments) -> {
                            List<Object> all =
                                    arguments == null ? List.of() : Arrays.asList(arguments);
                            add(new Effect.Tell(method, all));
                            return InvocationHandler.invokeDefault(proxy, method, arguments);
                        }));
    }
}
