package dev.medley.loop.rollout;

import dev.medley.base.ConfigException;
import dev.medley.base.Sha256;
import dev.medley.loop.stage.StageContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Names what a version is made by, apart from the rows: definitions of rows and features, and the
 * job. Two versions of one recipe differ by what they have seen alone.
 *
 * @param definitions as {@code rows#1f} and {@code usage@2#77}
 * @param jobSha256 of the job's file
 */
public record Recipe(List<String> definitions, String jobSha256) {
    public Recipe {
        definitions = List.copyOf(definitions);
    }

    /** Of a loop as its files are now. */
    public static Recipe of(List<String> definitions, Path job) {
        try {
            return new Recipe(definitions, Sha256.hex(Files.readString(job)));
        } catch (IOException e) {
            throw new ConfigException("%s: cannot be read: %s".formatted(job, e.getMessage()), e);
        }
    }

    /** Remembers it as a version's. */
    public void remember(StageContext context, int version) {
        context.remember(key(version), this);
    }

    /** What a version was made by; empty for one that the loop did not make. */
    static Optional<Recipe> ofVersion(StageContext context, int version) {
        return context.remembered(key(version), Recipe.class);
    }

    private static String key(int version) {
        return "recipe " + version;
    }
}
