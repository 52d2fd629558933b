package dev.medley.tensor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The processor as Linux describes it: kernels are chosen by its model and abilities.
 *
 * @param model vendor, family, model and stepping
 * @param abilities names of its instruction sets
 */
record CpuFacts(String model, Set<String> abilities) {
    private static final Path CPUINFO = Path.of("/proc/cpuinfo");

    static CpuFacts read() {
        try {
            return parse(Files.readAllLines(CPUINFO));
        } catch (IOException e) {
            return new CpuFacts(System.getProperty("os.arch", "unknown"), Set.of());
        }
    }

    static CpuFacts parse(List<String> lines) {
        String model =
                String.join(
                        "-",
                        field(lines, "vendor_id"),
                        field(lines, "cpu family"),
                        field(lines, "model"),
                        field(lines, "stepping"));
        return new CpuFacts(model, new TreeSet<>(List.of(field(lines, "flags").split(" "))));
    }

    /** Short, and equal for processors of one kind. */
    String identity() {
        return model + "-" + Integer.toHexString(abilities.hashCode());
    }

    private static String field(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.split(":", 2)[0].strip().equals(name) && line.contains(":"))
                .map(line -> line.split(":", 2)[1].strip())
                .findFirst()
                .orElse("unknown");
    }
}
