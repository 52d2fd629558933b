package dev.medley.base;

/**
 * The number of a worker process's launch: a worker that is started anew gets a new one. Its name
 * is the same on every console, in the record and of its log.
 */
public record WorkerId(int value) implements Comparable<WorkerId> {
    @Override
    public int compareTo(WorkerId other) {
        return Integer.compare(value, other.value);
    }

    @Override
    public String toString() {
        return "worker-" + value;
    }
}
