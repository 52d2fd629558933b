package dev.medley.control.coordinator;

import dev.medley.control.event.CallerId;
import dev.medley.control.event.Event;
import dev.medley.control.launcher.Launcher;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.Message;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Queues what other threads tell the coordinator, in order of arrival, and numbers the connections
 * over which something was said.
 *
 * <p>Thread: any thread puts in, only the coordinator's takes out.
 */
final class Inbox implements ControlConnection.Handler, Launcher.ExitListener {
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final Map<ControlConnection, CallerId> callers = new ConcurrentHashMap<>();
    private final Map<CallerId, ControlConnection> connections = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();

    /** The user wants the end. */
    void interrupt() {
        events.add(new Event.Interrupted());
    }

    /** The next event; null if there is none for so long. */
    @Nullable Event next(long waitNs) throws InterruptedException {
        return events.poll(Math.max(0, waitNs), TimeUnit.NANOSECONDS);
    }

    /** A caller's connection; null if it has ended. */
    @Nullable ControlConnection connection(CallerId caller) {
        return connections.get(caller);
    }

    @Override
    public void received(ControlConnection from, Message message) {
        CallerId caller = callers.get(from);
        if (caller == null) {
            caller = new CallerId(numbers.incrementAndGet(), from.kind());
            callers.put(from, caller);
            connections.put(caller, from);
        }
        events.add(new Event.Said(caller, message));
    }

    @Override
    public void closed(ControlConnection connection, String why) {
        CallerId caller = callers.remove(connection);
        if (caller != null) { // Of one that said nothing nobody knows.
            connections.remove(caller);
            events.add(new Event.HungUp(caller, why));
        }
    }

    @Override
    public void exited(Launcher.Exit exit) {
        events.add(new Event.Exited(exit));
    }
}
