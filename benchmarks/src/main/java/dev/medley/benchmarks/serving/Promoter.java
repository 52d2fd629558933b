package dev.medley.benchmarks.serving;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.medley.base.time.Clock;
import dev.medley.serving.registry.Registry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;

/**
 * Puts into production the version that each line of its input names, and says so in a line. A
 * process that stays asks for changes of versions without the start of a command beside them.
 */
public final class Promoter {
    private Promoter() {}

    /** Takes the folder of a registry, and the name of a model in it. */
    public static void main(String[] words) throws IOException {
        Registry registry = new Registry(Path.of(words[0]), Clock.system());
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            int version = Integer.parseInt(line.strip());
            registry.promote(words[1], version, Registry.PRODUCTION, "benchmark", "to measure");
            System.out.println("promoted " + version);
        }
    }
}
