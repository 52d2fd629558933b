package dev.medley.control.coordinator;

import dev.medley.base.WorkerId;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.Message;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Maps each worker to its process and its connection. Owned by the coordinator's agent. */
final class Roster {
    private record Entry(ControlConnection connection, int launch) {}

    private final Map<WorkerId, Entry> entries = new TreeMap<>();

    void joined(WorkerId worker, ControlConnection connection, int launch) {
        entries.put(worker, new Entry(connection, launch));
    }

    @Nullable WorkerId worker(ControlConnection connection) {
        return entries.entrySet().stream()
                .filter(e -> e.getValue().connection() == connection)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
    }

    @Nullable WorkerId worker(int launch) {
        return entries.entrySet().stream()
                .filter(e -> e.getValue().launch() == launch)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
    }

    /** Which start of a worker it is; null if it is not known here. */
    @Nullable Integer launch(WorkerId worker) {
        Entry entry = entries.get(worker);
        return entry == null ? null : entry.launch();
    }

    /** Forgets a worker; the launch to kill, if it was known. */
    Optional<Integer> lost(WorkerId worker) {
        Entry entry = entries.remove(worker);
        if (entry == null) {
            return Optional.empty();
        }
        entry.connection().close();
        return Optional.of(entry.launch());
    }

    void hungUp(ControlConnection connection) {
        entries.values().removeIf(e -> e.connection() == connection);
    }

    void send(Collection<WorkerId> to, Message message) {
        for (WorkerId worker : to) {
            Entry entry = entries.get(worker);
            if (entry != null) {
                entry.connection().send(message);
            }
        }
    }

    List<ControlConnection> connections() {
        return entries.values().stream().map(Entry::connection).toList();
    }

    List<WorkerId> workers() {
        return new ArrayList<>(entries.keySet());
    }

    int size() {
        return entries.size();
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }
}
