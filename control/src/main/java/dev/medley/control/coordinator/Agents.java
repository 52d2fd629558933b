package dev.medley.control.coordinator;

import dev.medley.base.Json;
import dev.medley.base.Version;
import dev.medley.base.job.JobTerms;
import dev.medley.control.event.CallerId;
import dev.medley.control.event.Effect;
import dev.medley.control.event.Effect.Manner;
import dev.medley.control.event.Effects;
import dev.medley.control.launcher.Launcher.Exit;
import dev.medley.control.launcher.Launching.Terms;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.DismissalKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Keeps the machines that agents offer, and which worker runs on each. The first machine to come
 * gets the first worker; a lost agent takes its worker with it. Owned by the coordinator.
 */
final class Agents {
    /**
     * Clocks of one cluster may differ a little; this much spoils logs, leases and certificates.
     */
    private static final long MOST_CLOCK_MILLIS = 3_600_000;

    private final Terms terms;
    private final Effects effects;
    private final Map<CallerId, Machine> machines = new LinkedHashMap<>();

    /** A machine that an agent offers. */
    private static final class Machine {
        private Message.Offer offer;
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

        boolean isOf(int number) {
            return launch != null && launch == number;
        }
    }

    /** No machines yet. */
    Agents(Terms terms, Effects effects) {
        this.terms = terms;
        this.effects = effects;
    }

    /**
     * A machine is offered.
     *
     * @return null if it is taken; else why it is not, and it has been told
     */
    @Nullable String enlist(CallerId from, Message.Offer offer, long wallMillis, long nowNs) {
        String why = refusal(offer, wallMillis);
        if (why != null) {
            effects.send(from, new Message.Dismissed(DismissalKind.REFUSED, why));
            effects.hangUp(from, Manner.ONCE_SENT);
            return why;
        }
        machines.put(from, new Machine(offer, nowNs));
        effects.send(
                from,
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
    boolean knows(CallerId caller) {
        return machines.containsKey(caller);
    }

    /** What the machine of that launch said of itself; null if none has it. */
    Message.@Nullable Offer offer(int launch) {
        return machines.values().stream()
                .filter(m -> m.isOf(launch))
                .map(m -> m.offer)
                .findFirst()
                .orElse(null);
    }

    /** The machine of that launch is another by now than its agent said. */
    void changed(int launch, JsonNode machine) {
        machines.values().stream()
                .filter(m -> m.isOf(launch))
                .forEach(
                        m ->
                                m.offer =
                                        new Message.Offer(
                                                m.offer.version(),
                                                m.offer.name(),
                                                m.offer.site(),
                                                m.offer.wallMillis(),
                                                m.offer.job(),
                                                machine));
    }

    /** An agent showed a sign of life. */
    void heard(CallerId from, long nowNs) {
        Machine machine = machines.get(from);
        if (machine != null) {
            machine.heardNs = nowNs;
        }
    }

    /**
     * An agent says that the process of a worker has begun, for which all is there; whether it has
     * that launch.
     */
    boolean started(CallerId from, int launch) {
        boolean isItsOwn = has(from, launch);
        if (isItsOwn) {
            effects.add(new Effect.Settled(launch));
        }
        return isItsOwn;
    }

    /** An agent says how a worker ended: its machine is free again. Null for another's worker. */
    @Nullable Exit exited(CallerId from, Message.Exited exited) {
        Machine machine = machines.get(from);
        if (machine == null || !has(from, exited.launch())) {
            return null;
        }
        machine.launch = null;
        effects.add(new Effect.Settled(exited.launch()));
        return new Exit(
                exited.launch(), exited.exitCode(), exited.lastWords(), exited.outOfMemory());
    }

    private boolean has(CallerId from, int launch) {
        Machine machine = machines.get(from);
        return machine != null && machine.isOf(launch);
    }

    /** A machine is wanted back; the launch that is on it, null if none is. */
    @Nullable Integer leaving(CallerId from) {
        Machine machine = machines.get(from);
        if (machine == null) {
            return null;
        }
        machine.isLeaving = true;
        return machine.launch;
    }

    /**
     * An agent that is gone.
     *
     * @param name of its machine
     * @param exit of the worker that went with it; null if none was on it
     */
    record Gone(String name, @Nullable Exit exit) {}

    /** A connection ended; null if it was no agent's. */
    @Nullable Gone gone(CallerId caller) {
        Machine machine = machines.remove(caller);
        if (machine == null) {
            return null;
        }
        effects.hangUp(caller, Manner.AT_ONCE);
        String name = machine.offer.name();
        Integer launch = machine.launch;
        if (launch == null) {
            return new Gone(name, null);
        }
        effects.add(new Effect.Settled(launch));
        return new Gone(name, new Exit(launch, -1, "the agent on " + name + " is gone", ""));
    }

    /** Agents that have been silent for too long. */
    List<CallerId> silent(long nowNs) {
        return machines.entrySet().stream()
                .filter(m -> nowNs - m.getValue().heardNs > terms.peerTimeoutNs())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The machines in order of arrival, as people know them. */
    List<String> names() {
        return machines.values().stream().map(m -> m.offer.name()).toList();
    }

    /** All agents. */
    List<CallerId> callers() {
        return new ArrayList<>(machines.keySet());
    }

    /** Whether a machine has no worker. */
    boolean hasRoom() {
        return machines.values().stream().anyMatch(Machine::isFree);
    }

    /** Starts a worker on a machine that has none; false if there is no such machine. */
    boolean launch(int launch) {
        for (Map.Entry<CallerId, Machine> entry : machines.entrySet()) {
            if (entry.getValue().isFree()) {
                entry.getValue().launch = launch;
                effects.add(new Effect.LaunchAt(launch, entry.getKey()));
                return true;
            }
        }
        return false;
    }

    /** A worker could not be started: its machine is free again. */
    void notLaunched(int launch) {
        machines.values().stream()
                .filter(machine -> machine.isOf(launch))
                .forEach(machine -> machine.launch = null);
    }

    /** Kills a worker at once; does nothing if it has ended. */
    void kill(int launch) {
        machines.forEach(
                (caller, machine) -> {
                    if (machine.isOf(launch)) {
                        effects.send(caller, new Message.Kill(launch));
                    }
                });
    }

    /** The run is over: agents end what is left of it. */
    void dismiss(Message.Dismissed farewell) {
        for (CallerId caller : machines.keySet()) {
            effects.send(caller, farewell);
            effects.hangUp(caller, Manner.AFTER_SENDING);
        }
        machines.clear();
    }
}
