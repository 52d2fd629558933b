package dev.medley.connect.files;

import dev.medley.base.ConfigException;
import dev.medley.connect.table.SyncStart;
import dev.medley.connect.table.TableSource;
import dev.medley.connect.table.TableView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/**
 * Reads all rows of all files that a pattern names as one table.
 *
 * <p>Exact: a file that is new, has other bytes or is gone is seen at the next sync. With a key,
 * rows of new files alone are read where no other file changed; anything else reads all files
 * again. A file counts as unchanged if its size and time are, or its checksum is; so a write that
 * keeps both size and time is not seen. A file that changes while it is read is an error, not half
 * of something. Files do not tell which column was renamed: that is one dropped and one added.
 */
public final class FilesSource implements TableSource {
    private final FilesOptions options;

    /** Reads nothing yet. */
    public FilesSource(FilesOptions options) {
        this.options = options;
    }

    @Override
    public String name() {
        return "files %s below %s".formatted(options.pattern(), options.folder());
    }

    @Override
    public TableView open(SyncStart start) throws IOException {
        options.synced();
        List<String> names = names();
        ConfigException.check(
                !names.isEmpty(),
                "%s: no file below it is named %s",
                options.folder(),
                options.pattern());
        Optional<FilesPosition> since = FilesPosition.of(start.since());
        List<FileStamp> stamps = new ArrayList<>();
        for (String name : names) {
            Optional<FileStamp> known = since.flatMap(p -> p.file(name));
            stamps.add(
                    known.isPresent() && known.get().isUntouched(options.folder())
                            ? known.get()
                            : FileStamp.of(options.folder(), name));
        }
        return FilesView.open(options, stamps, since);
    }

    /** Names of the files that are there now, in their order. */
    public List<String> names() throws IOException {
        ConfigException.check(
                Files.isDirectory(options.folder()), "%s: is no folder", options.folder());
        PathMatcher matcher = matcher();
        try (Stream<Path> files = Files.walk(options.folder(), FileVisitOption.FOLLOW_LINKS)) {
            return files.filter(Files::isRegularFile)
                    .map(options.folder()::relativize)
                    .filter(path -> !isHidden(path) && matcher.matches(path))
                    .map(path -> path.toString().replace('\\', '/'))
                    .sorted()
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause(); // A link that leads round in circles, a folder without rights.
        }
    }

    /** As a shell's: a leading {@code **}{@code /} also means the folder itself. */
    private PathMatcher matcher() {
        String pattern = options.pattern();
        String any = "**/";
        try {
            PathMatcher given = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
            if (!pattern.startsWith(any)) {
                return given;
            }
            PathMatcher here =
                    FileSystems.getDefault()
                            .getPathMatcher("glob:" + pattern.substring(any.length()));
            return path -> given.matches(path) || here.matches(path);
        } catch (PatternSyntaxException e) {
            throw new ConfigException(
                    "files: the pattern %s cannot be read: %s".formatted(pattern, e.getMessage()),
                    e);
        }
    }

    /** Others leave files with a leading dot out, too: they are mostly half written. */
    private static boolean isHidden(Path path) {
        for (Path name : path) {
            if (name.toString().startsWith(".")) {
                return true;
            }
        }
        return false;
    }
}
