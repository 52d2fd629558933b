package dev.medley.serving.registry;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.store.file.AtomicFile;
import dev.medley.store.file.ScratchFolder;
import dev.medley.store.file.WriteFailure;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Keeps a registry in a folder, which several machines may mount. A version is {@code
 * versions/N/model} beside {@code card.json}.
 *
 * @param folder made when something is registered
 */
record FolderPlace(Path folder) implements RegistryPlace {
    private static final String CARD = "card.json";
    private static final String MODEL = "model";

    FolderPlace {
        check(
                !Files.exists(folder) || Files.isDirectory(folder),
                "--registry %s: is no folder: name another",
                folder);
    }

    @Override
    public List<String> children(String path) {
        Path at = folder.resolve(path);
        if (!Files.isDirectory(at)) {
            return List.of();
        }
        try (Stream<Path> children = Files.list(at)) {
            return children.map(child -> String.valueOf(child.getFileName())).toList();
        } catch (IOException e) {
            throw new ConfigException("%s: cannot be read: %s".formatted(at, e), e);
        }
    }

    @Override
    public byte[] read(String path) {
        Path file = folder.resolve(path);
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new ConfigException("%s: cannot be read: %s".formatted(file, e), e);
        }
    }

    @Override
    public boolean create(String path, byte[] content) {
        Path target = folder.resolve(path);
        try (ScratchFolder scratch = ScratchFolder.beside(target.resolveSibling("event"))) {
            Path whole = scratch.path().resolve("event");
            AtomicFile.write(whole, content);
            return placed(whole, target);
        } catch (WriteFailure e) {
            throw e.asConfigException();
        } catch (IOException e) {
            throw new ConfigException("%s: cannot be written: %s".formatted(target, e), e);
        }
    }

    /** Whether nobody took the place before: by a link, or a move where there are no links. */
    private static boolean placed(Path whole, Path target) throws IOException {
        try {
            Files.createLink(target, whole);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        } catch (UnsupportedOperationException | FileSystemException e) {
            try {
                Files.move(whole, target);
                return true;
            } catch (FileAlreadyExistsException late) {
                return false;
            }
        }
    }

    @Override
    public void replace(String path, byte[] content) {
        try {
            AtomicFile.write(folder.resolve(path), content);
        } catch (WriteFailure e) {
            throw e.asConfigException();
        }
    }

    @Override
    public boolean publish(String version, Path model, VersionCard card) {
        Path target = folder.resolve(version);
        try (ScratchFolder scratch = ScratchFolder.beside(target)) {
            Path whole = Files.createDirectory(scratch.path().resolve("version"));
            Path copy = Files.createDirectory(whole.resolve(MODEL));
            try (Stream<Path> files = Files.list(model)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Files.copy(file, copy.resolve(file.getFileName()));
                }
            }
            AtomicFile.write(whole.resolve(CARD), Json.bytes(card));
            if (Files.exists(target)) {
                return false;
            }
            Files.move(whole, target);
            return true;
        } catch (WriteFailure e) {
            throw e.asConfigException();
        } catch (IOException e) {
            if (e instanceof FileSystemException && Files.exists(target)) {
                return false; // Somebody else was first.
            }
            throw new ConfigException(
                    "%s: a version cannot be written: %s".formatted(target, e), e);
        }
    }

    @Override
    public VersionCard card(String version) {
        return read(version + "/" + CARD, VersionCard.class);
    }

    @Override
    public Path model(String version) {
        return folder.resolve(version).resolve(MODEL);
    }

    @Override
    public boolean takeModel(String version) {
        Path model = model(version);
        if (!Files.exists(model)) {
            return false;
        }
        try (ScratchFolder scratch = ScratchFolder.beside(model)) {
            Files.move(model, scratch.path().resolve(MODEL));
            return true;
        } catch (IOException e) {
            throw new ConfigException("%s: cannot be removed: %s".formatted(model, e), e);
        }
    }

    @Override
    public String address(String version) {
        return model(version).toAbsolutePath().normalize().toUri().toString();
    }

    @Override
    public String toString() {
        return folder.toString();
    }
}
