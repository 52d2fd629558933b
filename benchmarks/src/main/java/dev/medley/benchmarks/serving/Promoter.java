package dev.medley.benchmarks.serving;

import dev.medley.base.time.Clock;
import dev.medley.serving.registry.Registry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Promotes versions of a registry's model, one a line that it reads, as {@code medley models
 * promote} does. A process for all of them costs the answers less than a process for each.
 */
public final class Promoter {
    private Promoter() {}

    /** Takes the registry's folder and the model's name. */
    public static void main(String[] words) throws IOException {
        Registry registry = new Registry(Path.of(words[0]), Clock.system());
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            registry.promote(
                    words[1], Integer.parseInt(line.strip()), Registry.PRODUCTION, "load", "");
            System.out.println("promoted " + line.strip());
        }
    }
}
