package dev.medley.control.watch;

import dev.medley.base.Fault;
import dev.medley.base.WorkerId;
import dev.medley.net.control.LinkBytes;
import dev.medley.net.control.Message;
import dev.medley.net.control.WorkerStep;
import dev.medley.net.link.RelayedBytes;
import dev.medley.net.membership.View;
import dev.medley.profile.cluster.ClusterProfile;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Watches a run as it goes: the run's record, the terminal, a user's callback. Called on the
 * coordinator's agent, so an implementation returns soon; an exception that it throws ends the run.
 */
public interface RunWatcher {
    /** Machines are waited for at this address. */
    default void listening(InetSocketAddress address) {}

    /** A machine has joined or gone; these are there now. */
    default void machines(String what, List<String> names) {}

    /**
     * The ways between the machines were measured; told when machines, sites or bandwidths are new.
     *
     * @param found one sentence about sites that were found; empty if none were
     */
    default void surveyed(ClusterProfile cluster, String found) {}

    /** A worker process was started. */
    default void launched(int launch, LaunchCause why) {}

    /** Why a worker process was started. */
    enum LaunchCause {
        /** The run began with it. */
        BEGINNING,
        /** A machine joined, or has room again. */
        MACHINE,
        /** Another one was lost. */
        RESTART
    }

    /**
     * A worker said hello; it is that launch.
     *
     * @param on what the agent of its machine said of that; null for a process of this machine
     */
    default void joined(WorkerId worker, int launch, Message.@Nullable Offer on) {}

    /**
     * A worker has loaded its data and its model.
     *
     * @param on what the agent of its machine said of that; null for a process of this machine
     */
    default void ready(WorkerId worker, Message.Ready ready, Message.@Nullable Offer on) {}

    /** A worker's machine grants it more or less than before. */
    default void resized(WorkerId worker, String what) {}

    /** A worker is gone. */
    default void lost(WorkerId worker, Fault fault) {}

    /** A worker leaves in good order. */
    default void released(WorkerId worker, String why) {}

    /** Something went wrong that the run gets over. */
    default void warned(String message) {}

    /** The plan has something to say to the user. */
    default void remarked(String message) {}

    /** A group begins. */
    default void formed(View view) {}

    /**
     * The step up to which all is recorded, of those up to {@code told}, of which all members have
     * told. Members may wait for it.
     */
    default long recorded(long told) {
        return told;
    }

    /** A step that was applied, with what each member of its group saw; in order of steps. */
    default void stepped(int epoch, Map<WorkerId, WorkerStep> steps) {}

    /** What a worker sent over its links in some steps of a group, by rank in that group. */
    default void carried(WorkerId worker, int epoch, List<LinkBytes> links) {}

    /** What a worker handed on between two others of a group, by rank in that group. */
    default void relayed(WorkerId worker, int epoch, List<RelayedBytes> bytes) {}

    /** The hash of the parameters after a step, at the end of each epoch and of the run. */
    default void hashed(long step, String parameterHash) {}

    /** A worker has something for the record. */
    default void noted(WorkerId worker, String kind, JsonNode value) {}

    /** The run is over. */
    default void ended(RunOutcome outcome) {}
}
