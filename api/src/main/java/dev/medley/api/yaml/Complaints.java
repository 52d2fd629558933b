package dev.medley.api.yaml;

import dev.medley.base.ConfigException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Gathers what is wrong with a job file, so that the user sees everything at once, in order. */
public final class Complaints {
    private static final int MOST_LINES = 100;

    private record Complaint(SourcePosition place, String message) {}

    private final String file;
    private final List<Complaint> complaints = new ArrayList<>();

    /** Of the file with the name that the user gave. */
    public Complaints(String file) {
        this.file = file;
    }

    /** Notes a complaint; all are shown together. */
    public void add(SourcePosition place, String message) {
        complaints.add(new Complaint(place, message));
    }

    /** One {@link ConfigException} with a line for each complaint, in order of their places. */
    public void throwIfAny() {
        if (!complaints.isEmpty()) {
            List<String> lines =
                    complaints.stream()
                            .sorted(Comparator.comparing(Complaint::place))
                            .map(c -> c.place().describe(file) + ": " + c.message())
                            .distinct()
                            .toList();
            int more = lines.size() - MOST_LINES;
            throw new ConfigException(
                    lines.stream().limit(MOST_LINES).collect(Collectors.joining("\n"))
                            + (more > 0 ? "\nand %,d more".formatted(more) : ""));
        }
    }
}
