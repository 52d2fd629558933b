package dev.medley.base;

/**
 * One life of one worker process. Ids are given by the coordinator in order of joining and never
 * used again: a worker that is started anew gets a new id.
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
