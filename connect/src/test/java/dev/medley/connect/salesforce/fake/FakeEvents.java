package dev.medley.connect.salesforce.fake;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;

/** The change events of an org: a stream of all objects that are selected for it. */
public final class FakeEvents {
    /** What happens to a call, by its method and its number from 1 on. */
    public volatile BiFunction<String, Integer, FakeEventFault> calls =
            (method, number) -> FakeEventFault.NONE;

    /** Whether it is said at once that no events are left; else never. */
    public volatile Signs signs = Signs.AT_ONCE;

    /** Events of one message. */
    public volatile int mostAMessage = 40;

    private final Set<String> selected = new HashSet<>();
    private final List<Told> all = new ArrayList<>();
    private final List<Told> held = new ArrayList<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private boolean isHolding;
    private int firstKept;

    /** When a stream without events says so. */
    public enum Signs {
        AT_ONCE,
        NEVER
    }

    /** An event. */
    record Told(String topic, String type, List<String> ids, long commitMillis) {}

    /** From now on changes of an object raise events, as Setup has it. */
    public synchronized void select(String object) {
        selected.add(topic(object));
    }

    /** From now on they do not, though the topic stays. */
    public synchronized void deselect(String object) {
        selected.remove(topic(object));
    }

    static String topic(String object) {
        return "/data/" + object.replaceFirst("__c$", "__") + "ChangeEvent";
    }

    synchronized boolean has(String topic) {
        return selected.stream()
                .anyMatch(t -> t.toLowerCase(Locale.ROOT).equals(topic.toLowerCase(Locale.ROOT)));
    }

    /** Events are published later than their transactions end, until they are released. */
    public synchronized void hold() {
        isHolding = true;
    }

    /** All that were held come now. */
    public void release() {
        synchronized (this) {
            isHolding = false;
            all.addAll(held);
            held.clear();
        }
        listeners.forEach(Runnable::run);
    }

    /** Events so far are no longer kept. */
    public synchronized void forget() {
        firstKept = all.size();
    }

    /** Publishes an event, whatever was changed. */
    public void tell(String object, String type, List<String> ids, long commitMillis) {
        synchronized (this) {
            Told told = new Told(topic(object), type, List.copyOf(ids), commitMillis);
            (isHolding ? held : all).add(told);
        }
        listeners.forEach(Runnable::run);
    }

    void changed(String object, String type, String id, long commitMillis) {
        boolean isSelected;
        synchronized (this) {
            isSelected = selected.contains(topic(object));
        }
        if (isSelected) {
            tell(object, type, List.of(id), commitMillis);
        }
    }

    void listen(Runnable listener) {
        listeners.add(listener);
    }

    void forget(Runnable listener) {
        listeners.remove(listener);
    }

    /** How many events were ever published: the stream's end. */
    synchronized int end() {
        return all.size();
    }

    synchronized Told at(int index) {
        return all.get(index);
    }

    /** Whether what comes behind {@code index} events is still kept. */
    synchronized boolean isKept(int index) {
        return index >= firstKept && index <= all.size();
    }
}
