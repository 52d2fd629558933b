package dev.medley.simulation;

import dev.medley.control.event.CallerId;
import dev.medley.control.event.Event;
import dev.medley.net.control.Message;
import dev.medley.net.door.JoinSecret;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Control connections on virtual time: messages of one direction arrive in order, each after a
 * while, now and then after a long one. What is on its way when a connection breaks is lost.
 */
final class Network {
    private static final long MILLI = 1_000_000;

    private final VirtualTime time;
    private final RandomGenerator random;
    private final Consumer<Event> coordinator;
    private final Map<Long, Connection> open = new TreeMap<>();
    private long numbers;

    Network(VirtualTime time, RandomGenerator random, Consumer<Event> coordinator) {
        this.time = time;
        this.random = random;
        this.coordinator = coordinator;
    }

    /** The far side of a connection. */
    interface Party {
        void received(Message message);

        /** The connection has ended, and not by this side. */
        void cutOff();
    }

    /** A connection as the far side has it. */
    final class Connection {
        private final CallerId caller;
        private final Party party;
        private long toCoordinatorNs;
        private long toPartyNs;
        private boolean hasSpoken;

        private Connection(CallerId caller, Party party) {
            this.caller = caller;
            this.party = party;
        }

        boolean isOpen() {
            return open.containsKey(caller.number());
        }

        /** Says something to the coordinator; nothing happens if the connection has ended. */
        void say(Message message) {
            if (isOpen()) {
                toCoordinatorNs = Math.max(toCoordinatorNs, time.nowNs() + delayNs());
                time.at(
                        toCoordinatorNs,
                        () -> {
                            if (isOpen()) {
                                hasSpoken = true;
                                coordinator.accept(new Event.Said(caller, message));
                            }
                        });
            }
        }

        /** Says what is on its way, and ends. */
        void hangUp() {
            if (isOpen()) {
                time.at(
                        Math.max(toCoordinatorNs, time.nowNs() + delayNs()),
                        () -> end("closed by the other side", false));
            }
        }

        /** Breaks; what is on its way is lost. */
        void tear() {
            end("broken: reset", true);
        }

        private void end(String why, boolean tellsParty) {
            if (open.remove(caller.number()) == null) {
                return;
            }
            if (hasSpoken) {
                time.after(delayNs(), () -> coordinator.accept(new Event.HungUp(caller, why)));
            }
            if (tellsParty) {
                time.after(delayNs(), party::cutOff);
            }
        }
    }

    /** A new connection; the coordinator hears of it when something is said. */
    Connection connect(JoinSecret.Kind kind, Party party) {
        Connection connection = new Connection(new CallerId(++numbers, kind), party);
        open.put(numbers, connection);
        return connection;
    }

    /** The coordinator says something. */
    void send(CallerId to, Message message) {
        Connection connection = open.get(to.number());
        if (connection != null) {
            connection.toPartyNs = Math.max(connection.toPartyNs, time.nowNs() + delayNs());
            time.at(
                    connection.toPartyNs,
                    () -> {
                        if (connection.isOpen()) {
                            connection.party.received(message);
                        }
                    });
        }
    }

    /** The coordinator ends a connection, once what it said has arrived or at once. */
    void hangUp(CallerId who, boolean onceSent) {
        @Nullable Connection connection = open.get(who.number());
        if (connection != null) {
            time.at(
                    onceSent ? connection.toPartyNs : time.nowNs(),
                    () -> connection.end("closed here", true));
        }
    }

    /** Whether somebody is at the other end. */
    boolean isOpen(CallerId caller) {
        return open.containsKey(caller.number());
    }

    private long delayNs() {
        boolean isLate = random.nextInt(200) == 0;
        return MILLI / 10 + random.nextLong((isLate ? 80 : 4) * MILLI);
    }
}
