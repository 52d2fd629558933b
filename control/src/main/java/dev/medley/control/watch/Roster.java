package dev.medley.control.watch;

import dev.medley.base.WorkerId;
import dev.medley.control.event.CallerId;
import dev.medley.control.event.Effect.Manner;
import dev.medley.control.event.Effects;
import dev.medley.net.control.Message;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Maps each worker to its process and its connection. Owned by the coordinator. */
public final class Roster {
    private record Entry(CallerId caller, int launch) {}

    private final Effects effects;
    private final Map<WorkerId, Entry> entries = new TreeMap<>();

    /** Nobody is here; what is sent goes to {@code effects}. */
    public Roster(Effects effects) {
        this.effects = effects;
    }

    /** Enters a worker that was launched so and speaks over this connection. */
    public void joined(WorkerId worker, CallerId caller, int launch) {
        entries.put(worker, new Entry(caller, launch));
    }

    /** Who speaks over a connection; null for nobody here. */
    @Nullable
    public WorkerId worker(CallerId caller) {
        return entries.entrySet().stream()
                .filter(e -> e.getValue().caller().equals(caller))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
    }

    /** Who came of a launch; null for nobody here. */
    @Nullable
    public WorkerId worker(int launch) {
        return entries.entrySet().stream()
                .filter(e -> e.getValue().launch() == launch)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
    }

    /** Which start of a worker it is; null if it is not known here. */
    @Nullable
    public Integer launch(WorkerId worker) {
        Entry entry = entries.get(worker);
        return entry == null ? null : entry.launch();
    }

    /** Forgets a worker; the launch to kill, if it was known. */
    public Optional<Integer> lost(WorkerId worker) {
        Entry entry = entries.remove(worker);
        if (entry == null) {
            return Optional.empty();
        }
        effects.hangUp(entry.caller(), Manner.AT_ONCE);
        return Optional.of(entry.launch());
    }

    /** Strikes out who spoke over a connection. */
    public void hungUp(CallerId caller) {
        entries.values().removeIf(e -> e.caller().equals(caller));
    }

    /** Sends a message to those of these that are here. */
    public void send(Collection<WorkerId> to, Message message) {
        for (WorkerId worker : to) {
            Entry entry = entries.get(worker);
            if (entry != null) {
                effects.send(entry.caller(), message);
            }
        }
    }

    /** The connections of all that are here. */
    public List<CallerId> callers() {
        return entries.values().stream().map(Entry::caller).toList();
    }

    /** All that are here, as they came. */
    public List<WorkerId> workers() {
        return new ArrayList<>(entries.keySet());
    }

    /** How many are here. */
    public int size() {
        return entries.size();
    }

    /** Whether nobody is here. */
    public boolean isEmpty() {
        return entries.isEmpty();
    }
}
