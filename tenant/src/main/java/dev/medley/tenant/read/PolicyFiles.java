package dev.medley.tenant.read;

import dev.medley.base.ConfigException;
import dev.medley.base.NamedFile;
import dev.medley.base.Sha256;
import dev.medley.connect.Secret;
import dev.medley.tenant.policy.TenantPolicies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a file of policies and the files of its secrets. A change that may be half written is
 * told from one that has rested.
 *
 * <p>Thread: its owner's, under the owner's lock where a change is remembered.
 */
final class PolicyFiles {
    /** A file that is being written is written again within this time. */
    static final Duration REST = Duration.ofSeconds(2);

    private static final int LARGEST_BYTES = 4 << 20;
    private static final int LARGEST_SECRET = 1 << 20;
    private static final String FILE = "file:";

    private final Path file;
    private final InstantSource clock;
    private @Nullable Look changed;
    private Instant changedAt = Instant.EPOCH;

    PolicyFiles(Path file, InstantSource clock) {
        this.file = file;
        this.clock = clock;
    }

    /**
     * What the files were at one time.
     *
     * @param digests of secrets by their place; a file that is not there has none, in a word
     * @param written when the policies were written
     * @param writtenSecrets when secrets were written, by their place
     */
    record Look(
            String text,
            Map<String, String> digests,
            Instant written,
            Map<String, Instant> writtenSecrets) {
        /** Copies the maps. */
        Look {
            digests = Map.copyOf(digests);
            writtenSecrets = Map.copyOf(writtenSecrets);
        }

        /** When the last of the files was written that differ from those of another look. */
        Instant changedSince(Look other) {
            Instant last = text.equals(other.text) ? Instant.MIN : written;
            for (Map.Entry<String, String> each : digests.entrySet()) {
                Instant own = writtenSecrets.getOrDefault(each.getKey(), Instant.MAX);
                boolean isSame = each.getValue().equals(other.digests.get(each.getKey()));
                last = isSame || own.isBefore(last) ? last : own;
            }
            return last;
        }

        Collection<String> secrets() {
            return digests.keySet();
        }

        boolean hasSameBytes(Look other) {
            return text.equals(other.text) && digests.equals(other.digests);
        }

        /** Of the policies' text and of all secrets. */
        String digest() {
            StringBuilder all = new StringBuilder(Sha256.hex(text));
            digests.entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(
                            e ->
                                    all.append('\n')
                                            .append(e.getKey())
                                            .append(' ')
                                            .append(e.getValue()));
            return Sha256.hex(all.toString());
        }
    }

    Path file() {
        return file;
    }

    /** Where the secrets are that policies name in files. */
    static List<String> secrets(TenantPolicies policies) {
        Stream<@Nullable Secret> callers =
                policies.callers().values().stream().map(caller -> caller.secret());
        Stream<@Nullable Secret> passwords =
                policies.tables().values().stream().map(t -> t.place().secret());
        return Stream.of(callers, passwords, Stream.<@Nullable Secret>of(policies.hashKey()))
                .flatMap(s -> s)
                .filter(Objects::nonNull)
                .map(Secret::place)
                .filter(place -> place.startsWith(FILE))
                .distinct()
                .toList();
    }

    /**
     * The policies' text, and digests of secrets.
     *
     * @throws ConfigException if the text cannot be read
     */
    Look look(Collection<String> secrets) {
        try {
            Instant written = Files.getLastModifiedTime(file).toInstant();
            String text = NamedFile.text(file, LARGEST_BYTES);
            return withSecrets(new Look(text, Map.of(), written, Map.of()), secrets);
        } catch (IOException e) {
            throw new ConfigException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /** The same text, with digests of these secrets as they are now. */
    Look withSecrets(Look look, Collection<String> secrets) {
        Map<String, String> digests = new LinkedHashMap<>();
        Map<String, Instant> written = new LinkedHashMap<>();
        for (String place : secrets) {
            try {
                Path secret = Path.of(place.substring(FILE.length()));
                Instant own = Files.getLastModifiedTime(secret).toInstant();
                digests.put(place, Sha256.hex(NamedFile.bytes(secret, LARGEST_SECRET)));
                written.put(place, own);
            } catch (IOException | ConfigException | InvalidPathException e) {
                digests.put(place, "unreadable");
            }
        }
        return new Look(look.text(), digests, look.written(), written);
    }

    /**
     * Whether a change was written some time ago, or has been seen the same for so long.
     *
     * @param loaded what is in force
     */
    boolean hasRested(Look look, Look loaded) {
        Instant now = clock.instant();
        if (!look.equals(changed)) {
            changed = look;
            changedAt = now;
        }
        Instant rested = now.minus(REST);
        return !look.changedSince(loaded).isAfter(rested) || !changedAt.isAfter(rested);
    }

    /** What was in force is there again. */
    void forgetChange() {
        changed = null;
    }
}
