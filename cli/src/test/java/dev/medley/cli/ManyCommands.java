package dev.medley.cli;

import dev.medley.base.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Several commands, one after the other, in one JVM that has its caches in a test's folder. */
final class ManyCommands {
    private ManyCommands() {}

    /** The results in a file, of each command what it said. */
    public static void main(String[] args) throws IOException {
        List<Said> all = new ArrayList<>();
        for (int i = 1; i < args.length; i++) {
            all.add(Said.when(args[i].split(" ")));
        }
        Files.write(Path.of(args[0]), Json.bytes(all));
    }

    /** Runs commands, whose words are separated by blanks, in {@code folder}. */
    static List<Said> run(Path folder, List<String> commands) throws Exception {
        Path results = Files.createTempFile(folder, "said-", ".json");
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        line.addAll(ClassArchive.options(System.getProperty("java.class.path")));
        line.addAll(List.of(ManyCommands.class.getName(), results.toString()));
        line.addAll(commands);
        ProcessBuilder builder = new ProcessBuilder(line).directory(folder.toFile()).inheritIO();
        Map<String, String> environment = builder.environment();
        environment.put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        Process process = builder.start();
        if (!process.waitFor(100, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("no end of " + commands);
        }
        return List.of(Json.read(results, Said[].class));
    }
}
