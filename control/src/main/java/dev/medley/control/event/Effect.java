package dev.medley.control.event;

import dev.medley.net.control.Message;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Something that a coordinator wants done; in the order in which it wants it. */
public sealed interface Effect {
    /** Send a message; nothing is done if the connection has ended. */
    record Send(CallerId to, Message message) implements Effect {}

    /**
     * Show a sign of life.
     *
     * @param workers that hear up to which step all is recorded
     * @param told the last step of which all members have told
     */
    record Beat(List<CallerId> workers, List<CallerId> agents, long told) implements Effect {}

    /** End a connection. */
    record HangUp(CallerId who, Manner how) implements Effect {}

    /** How a connection ends. */
    enum Manner {
        AT_ONCE,
        /** When all is sent, for which nobody waits. */
        ONCE_SENT,
        /** When all is sent, for which the run waits. */
        AFTER_SENDING
    }

    /** Start a worker; an event says what came of it. */
    record Launch(int launch) implements Effect {}

    /** Have an agent start a worker; an event says what came of it. */
    record LaunchAt(int launch, CallerId agent) implements Effect {}

    /** Kill a worker that this machine started. */
    record Kill(int launch) implements Effect {}

    /** Keep no longer what that launch needed. */
    record Settled(int launch) implements Effect {}

    /** Tell whoever watches: a call of a method of it. */
    record Tell(Method method, List<@Nullable Object> arguments) implements Effect {}

    /** Let nobody else connect. */
    record CloseDoor() implements Effect {}
}
