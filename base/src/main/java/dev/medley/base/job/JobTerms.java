package dev.medley.base.job;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a job, key by key. They tell whether two jobs are one, and in which key they
 * differ first. It holds only what every machine of a run has to agree about, wherever the job file
 * lies.
 *
 * @param name of the job
 * @param file that it was read from, for people; empty if that is not known
 * @param values as a job file has them, by dotted key, in the order of a job file; empty where
 *     there is no job
 */
public record JobTerms(String name, String file, Map<String, String> values) {
    private static final int SHOWN_LETTERS = 60;
    private static final int MOST_CHANGES = 3;
    private static final String STRATEGY = "strategy.";

    public JobTerms {
        Objects.requireNonNull(name);
        Objects.requireNonNull(file);
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** Of a coordinator that trains nothing: nobody's job. */
    public static JobTerms ofNoJob(String name) {
        return new JobTerms(name, "", Map.of());
    }

    /**
     * Why a machine that serves this job alone cannot serve a run. A strategy that this job leaves
     * open may be any in the run, which may have chosen one.
     *
     * @param machine in the message
     * @return null if it can; else one sentence with both jobs and the first key that differs
     */
    public @Nullable String refusal(String machine, JobTerms run) {
        if (run.values.isEmpty()) {
            return "%s, and %s is no run of it: start it without --job for that"
                    .formatted(serves(machine), run.name);
        }
        Set<String> keys = new LinkedHashSet<>(run.values.keySet());
        keys.addAll(values.keySet());
        boolean isOpen = "auto".equals(values.get(STRATEGY + "kind"));
        for (String key : keys) {
            boolean isFree = isOpen && key.startsWith(STRATEGY);
            if (!isFree && !Objects.equals(values.get(key), run.values.get(key))) {
                return "%s, and this is a run of %s: %s; give it the job file and the settings of"
                                .formatted(serves(machine), run.name, difference(key, run))
                        + " the run, or start it without --job";
            }
        }
        return null;
    }

    /** What is otherwise in a later job, key by key and the first few; empty if nothing is. */
    public String changes(JobTerms later) {
        Set<String> keys = new LinkedHashSet<>(values.keySet());
        keys.addAll(later.values.keySet());
        keys.removeIf(key -> Objects.equals(values.get(key), later.values.get(key)));
        String first =
                keys.stream()
                        .limit(MOST_CHANGES)
                        .map(
                                key ->
                                        "%s was %s and is %s"
                                                .formatted(
                                                        key,
                                                        shown(values.get(key)),
                                                        shown(later.values.get(key))))
                        .collect(Collectors.joining(", "));
        int more = keys.size() - MOST_CHANGES;
        return more > 0 ? "%s and %d more".formatted(first, more) : first;
    }

    private String serves(String machine) {
        return "%s serves %s (job %s) alone".formatted(machine, file, name);
    }

    private String difference(String key, JobTerms run) {
        return "%s is %s in the run and %s in %s"
                .formatted(
                        key,
                        shown(run.values.get(key)),
                        shown(values.get(key)),
                        file.replaceFirst("^.*[/\\\\]", ""));
    }

    private static String shown(@Nullable String value) {
        if (value == null) {
            return "not there";
        }
        return value.length() <= SHOWN_LETTERS ? value : value.substring(0, SHOWN_LETTERS) + "...";
    }
}
