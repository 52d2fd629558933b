package dev.medley.control.launcher;

import dev.medley.base.Json;
import dev.medley.base.Version;
import dev.medley.base.job.JobTerms;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.DismissalKind;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Starts workers on the machines that agents offer, one on each. The first machine to come gets the
 * first worker; a lost agent takes its worker with it.
 *
 * <p>Thread: only the coordinator's agent.
 */
public final class AgentLauncher implements Launcher {
    private static final Logger LOG = LoggerFactory.getLogger(AgentLauncher.class);

    /**
     * Clocks of one cluster may differ a little; this much spoils logs, leases and certificates.
     */
    private static final long MOST_CLOCK_MILLIS = 3_600_000;

    /** The time that an agent gets to take in why it has to go. */
    private static final long LAST_WORDS_NS = 1_000_000_000L;

    private final Terms terms;
    private final Needs needs;
    private final Map<ControlConnection, Machine> machines = new LinkedHashMap<>();
    private @Nullable ExitListener listener;

    /**
     * What an agent has to fulfil and is told.
     *
     * @param version the build of Medley that it has to be
     * @param job of the run; a machine that serves another alone is refused
     * @param heartbeatNs between two signs of life
     * @param peerTimeoutNs silence after which it counts as lost
     */
    public record Terms(String version, JobTerms job, long heartbeatNs, long peerTimeoutNs) {}

    /** What workers need that are started. */
    @FunctionalInterface
    public interface Needs {
        /**
         * Of the worker of that launch, which begins now: a JSON-able value that agents know. Said
         * at once, since others wait meanwhile.
         */
        Object of(int launch);

        /** The machine of that launch has all of it, or does not come for it any more. */
        default void settled(int launch) {}
    }

    /** A machine that an agent offers. */
    private static final class Machine {
        private final Message.Offer offer;
        private long heardNs;
        private @Nullable Integer launch;
        private boolean isLeaving;

        Machine(Message.Offer offer, long heardNs) {
            this.offer = offer;
            this.heardNs = heardNs;
        }

        boolean isFree() {
            return launch == null && !isLeaving;
        }
    }

    /** A launcher that has no machines yet. */
    public AgentLauncher(Terms terms, Needs needs) {
        this.terms = terms;
        this.needs = needs;
    }

    /**
     * A machine is offered.
     *
     * @return null if it is taken; else why it is not, and it has been told
     */
    public @Nullable String enlist(
            ControlConnection from, Message.Offer offer, long wallMillis, long nowNs) {
        String why = refusal(offer, wallMillis);
        if (why != null) {
            from.send(new Message.Dismissed(DismissalKind.REFUSED, why));
            from.closeOnceSent(LAST_WORDS_NS);
            return why;
        }
        machines.put(from, new Machine(offer, nowNs));
        from.send(
                new Message.Enlisted(
                        terms.job().name(), terms.heartbeatNs(), terms.peerTimeoutNs()));
        return null;
    }

    private @Nullable String refusal(Message.Offer offer, long wallMillis) {
        String another = Version.refusal(offer.name(), offer.version(), terms.version());
        if (another != null) {
            return another;
        }
        JsonNode only = offer.job();
        if (only != null && !only.isNull()) {
            String why = refusal(offer.name(), only);
            if (why != null) {
                return why;
            }
        }
        long apartMillis = Math.abs(offer.wallMillis() - wallMillis);
        if (apartMillis > MOST_CLOCK_MILLIS) {
            return "the clock of %s is %.1f hours %s the coordinator's: set it right"
                    .formatted(
                            offer.name(),
                            apartMillis / 3.6e6,
                            offer.wallMillis() > wallMillis ? "ahead of" : "behind");
        }
        return null;
    }

    /** Anybody may say anything of the one job of theirs. */
    private @Nullable String refusal(String machine, JsonNode only) {
        try {
            return Json.bindWhole(only, JobTerms.class).refusal(machine, terms.job());
        } catch (JacksonException e) {
            return machine + " says of its job what cannot be read: start it anew";
        }
    }

    /** Whether an agent is at the other end. */
    public boolean knows(ControlConnection connection) {
        return machines.containsKey(connection);
    }

    /** What the machine of that launch said of itself; null if none has it. */
    public Message.@Nullable Offer offer(int launch) {
        return machines.values().stream()
                .filter(m -> m.launch != null && m.launch == launch)
                .map(m -> m.offer)
                .findFirst()
                .orElse(null);
    }

    /** An agent showed a sign of life. */
    public void heard(ControlConnection from, long nowNs) {
        Machine machine = machines.get(from);
        if (machine != null) {
            machine.heardNs = nowNs;
        }
    }

    /**
     * An agent says that the process of a worker has begun, for which all is there; whether it has
     * that launch.
     */
    public boolean started(ControlConnection from, int launch) {
        boolean isItsOwn = has(from, launch);
        if (isItsOwn) {
            needs.settled(launch);
        }
        return isItsOwn;
    }

    /** An agent says how a worker ended: its machine is free again. */
    public void exited(ControlConnection from, Message.Exited exited) {
        Machine machine = machines.get(from);
        if (machine != null && has(from, exited.launch())) {
            machine.launch = null;
            needs.settled(exited.launch());
            say(
                    new Exit(
                            exited.launch(),
                            exited.exitCode(),
                            exited.lastWords(),
                            exited.outOfMemory()));
        }
    }

    private boolean has(ControlConnection from, int launch) {
        Machine machine = machines.get(from);
        return machine != null && machine.launch != null && machine.launch == launch;
    }

    /** A machine is wanted back; the launch that is on it, null if none is. */
    public @Nullable Integer leaving(ControlConnection from) {
        Machine machine = machines.get(from);
        if (machine == null) {
            return null;
        }
        machine.isLeaving = true;
        return machine.launch;
    }

    /** An agent is gone, and its worker with it; the machine's name, null if it was no agent. */
    public @Nullable String gone(ControlConnection connection) {
        Machine machine = machines.remove(connection);
        if (machine == null) {
            return null;
        }
        connection.close();
        Integer launch = machine.launch;
        if (launch != null) {
            needs.settled(launch);
            say(new Exit(launch, -1, "the agent on " + machine.offer.name() + " is gone", ""));
        }
        return machine.offer.name();
    }

    /** Agents that have been silent for too long. */
    public List<ControlConnection> silent(long nowNs) {
        return machines.entrySet().stream()
                .filter(m -> nowNs - m.getValue().heardNs > terms.peerTimeoutNs())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The machines in order of arrival, as people know them. */
    public List<String> names() {
        return machines.values().stream().map(m -> m.offer.name()).toList();
    }

    /** All agents. */
    public List<ControlConnection> connections() {
        return new ArrayList<>(machines.keySet());
    }

    @Override
    public boolean hasRoom() {
        return machines.values().stream().anyMatch(Machine::isFree);
    }

    @Override
    public boolean startsAtOnce() {
        return false;
    }

    @Override
    public void launch(
            int launch, InetSocketAddress coordinator, String token, ExitListener toTell) {
        listener = toTell;
        for (Map.Entry<ControlConnection, Machine> entry : machines.entrySet()) {
            if (entry.getValue().isFree()) {
                JsonNode work = needed(launch);
                entry.getValue().launch = launch;
                entry.getKey().send(new Message.Launch(launch, token, work));
                return;
            }
        }
        throw new LaunchException("no machine has room for worker-" + launch, null);
    }

    /** Trouble with it is that of this launch alone. */
    private JsonNode needed(int launch) {
        try {
            return Json.tree(needs.of(launch));
        } catch (RuntimeException e) {
            needs.settled(launch);
            LOG.warn("worker-{} is not started", launch, e);
            throw new LaunchException(
                    "what worker-%d needs could not be found out: %s"
                            .formatted(launch, e.getMessage()),
                    e);
        }
    }

    @Override
    public void kill(int launch) {
        machines.forEach(
                (connection, machine) -> {
                    if (machine.launch != null && machine.launch == launch) {
                        connection.send(new Message.Kill(launch));
                    }
                });
    }

    /** The run is over: agents end what is left of it and wait for the next. */
    @Override
    public void close() {
        for (ControlConnection connection : machines.keySet()) {
            connection.send(new Message.Dismissed(DismissalKind.DONE, "the run is over"));
            connection.closeAfterSending(LAST_WORDS_NS);
        }
        machines.clear();
    }

    private void say(Exit exit) {
        ExitListener known = listener;
        if (known != null) {
            known.exited(exit);
        }
    }
}
