package dev.medley.record.folder;

import dev.medley.record.entry.WorkerRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names the workers of a run, everywhere the same: {@code worker-3}, and {@code worker-3 on gpu-1}
 * where machines joined. The number is that of the launch, as in the name of its log.
 */
public final class WorkerNames {
    private static final Pattern ALONE = Pattern.compile("\\bworker-(\\d{1,9})\\b(?! on |\\.log)");

    private final Map<Integer, String> machines;

    private WorkerNames(Map<Integer, String> machines) {
        this.machines = Map.copyOf(machines);
    }

    /** Of these workers; others are known by their number alone. */
    public static WorkerNames of(List<WorkerRecord> workers) {
        Map<Integer, String> machines = new HashMap<>();
        for (WorkerRecord worker : workers) {
            if (worker.name() != null) {
                machines.put(worker.worker(), worker.name());
            }
        }
        return new WorkerNames(machines);
    }

    /** With one more, or another life of one. */
    public WorkerNames with(int worker, @Nullable String machine) {
        Map<Integer, String> more = new HashMap<>(machines);
        more.remove(worker);
        if (machine != null) {
            more.put(worker, machine);
        }
        return new WorkerNames(more);
    }

    /** {@code worker-3}, or {@code worker-3 on gpu-1}. */
    public String of(int worker) {
        String machine = machines.get(worker);
        return machine == null ? "worker-" + worker : "worker-" + worker + " on " + machine;
    }

    /** The name of its machine; empty for a process of the coordinator's machine. */
    public String machine(int worker) {
        return machines.getOrDefault(worker, "");
    }

    /** A sentence in which each worker has its machine with it. */
    public String in(String sentence) {
        return machines.isEmpty()
                ? sentence
                : ALONE.matcher(sentence).replaceAll(WorkerNames.this::quoted);
    }

    private String quoted(MatchResult found) {
        return Matcher.quoteReplacement(of(Integer.parseInt(found.group(1))));
    }
}
