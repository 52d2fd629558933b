package dev.medley.api.track;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads which commit of git a folder's work tree has checked out, without git. */
final class GitCommit {
    private static final String HASH = "[0-9a-f]{40}|[0-9a-f]{64}";

    private GitCommit() {}

    /** The commit that {@code folder} or one above it is of; empty outside of a repository. */
    static Optional<String> of(Path folder) {
        Path at = folder.toAbsolutePath().normalize();
        while (at != null && !Files.exists(at.resolve(".git"))) {
            at = at.getParent();
        }
        try {
            return at == null ? Optional.empty() : commit(gitFolder(at.resolve(".git")));
        } catch (IOException | RuntimeException e) {
            return Optional.empty(); // A tag that is nice to have.
        }
    }

    /** Of a work tree beside the first one it is a file that names the folder. */
    private static Path gitFolder(Path git) throws IOException {
        if (Files.isDirectory(git)) {
            return git;
        }
        String named = Files.readString(git).strip().replaceFirst("^gitdir: ", "");
        return git.resolveSibling(named).normalize();
    }

    private static Optional<String> commit(Path git) throws IOException {
        String head = Files.readString(git.resolve("HEAD")).strip();
        if (!head.startsWith("ref: ")) {
            return Optional.of(head).filter(hash -> hash.matches(HASH));
        }
        String reference = head.substring("ref: ".length());
        Path shared = git.resolve("commondir");
        Path common =
                Files.exists(shared)
                        ? git.resolve(Files.readString(shared).strip()).normalize()
                        : git;
        Path loose = common.resolve(reference);
        String hash =
                Files.exists(loose) ? Files.readString(loose).strip() : packed(common, reference);
        return Optional.ofNullable(hash).filter(found -> found.matches(HASH));
    }

    private static @Nullable String packed(Path git, String reference) throws IOException {
        try (Stream<String> lines = Files.lines(git.resolve("packed-refs"))) {
            return lines.filter(line -> line.endsWith(" " + reference))
                    .map(line -> line.substring(0, line.indexOf(' ')))
                    .findFirst()
                    .orElse(null);
        }
    }
}
