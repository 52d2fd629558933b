package dev.medley.control.coordinator;

import dev.medley.control.launcher.Launcher;
import dev.medley.control.launcher.Launcher.Exit;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.Message;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Queues what other threads tell the coordinator's agent, in order of arrival.
 *
 * <p>Thread: any thread puts in, only the agent takes out.
 */
final class Inbox implements ControlConnection.Handler, Launcher.ExitListener {
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    /** Something that happened outside the agent. */
    sealed interface Event {
        record Said(ControlConnection by, Message message) implements Event {}

        record HungUp(ControlConnection by, String why) implements Event {}

        record Exited(Exit exit) implements Event {}

        record Interrupted() implements Event {}
    }

    /** The user wants the end. */
    void interrupt() {
        events.add(new Event.Interrupted());
    }

    /** The next event; null if there is none for so long. */
    @Nullable Event next(long waitNs) throws InterruptedException {
        return events.poll(Math.max(0, waitNs), TimeUnit.NANOSECONDS);
    }

    @Override
    public void received(ControlConnection from, Message message) {
        events.add(new Event.Said(from, message));
    }

    @Override
    public void closed(ControlConnection connection, String why) {
        events.add(new Event.HungUp(connection, why));
    }

    @Override
    public void exited(Exit exit) {
        events.add(new Event.Exited(exit));
    }
}
