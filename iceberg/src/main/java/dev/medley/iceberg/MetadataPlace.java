package dev.medley.iceberg;

import dev.medley.base.ConfigException;
import dev.medley.connect.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.SessionCatalog.SessionContext;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NotAuthorizedException;
import org.apache.iceberg.exceptions.RESTException;
import org.apache.iceberg.rest.HTTPClient;
import org.apache.iceberg.rest.RESTSessionCatalog;
import org.jspecify.annotations.Nullable;

/**
 * Finds a table's metadata: by a REST catalog; by the hint in its folder, as the catalogs of Hadoop
 * leave it; or in the one file that was named. A folder without a hint is refused: its newest file
 * may be of a change that never came about.
 */
final class MetadataPlace {
    private static final String METADATA = ".metadata.json";
    private static final int MOST_VERSIONS_AFTER_THE_HINT = 10_000;
    private static final String TIMEOUT_MS = "60000";

    private final IcebergOptions options;
    private final UnaryOperator<@Nullable String> environment;
    private final Path folder;

    /** Files of stores are fetched into {@code folder}. */
    MetadataPlace(
            IcebergOptions options, UnaryOperator<@Nullable String> environment, Path folder) {
        this.options = options;
        this.environment = environment;
        this.folder = folder;
    }

    /** The table as it is now. */
    Table load() throws IOException {
        return options.isCatalog() ? fromCatalog() : fromFiles();
    }

    private Table fromFiles() throws IOException {
        StoredFileIo io = new StoredFileIo(folder, environment, Map.of());
        String place = options.place().replaceAll("/+$", "");
        String file = place.endsWith(METADATA) ? place : newest(io, place);
        if (!io.exists(file)) {
            throw new ConfigException("%s: there is no such file".formatted(file));
        }
        return new BaseTable(new StaticTableOperations(file, io), options.place());
    }

    private static String newest(StoredFileIo io, String place) throws IOException {
        String metadata = place + "/metadata/";
        String hint = metadata + "version-hint.text";
        ConfigException.check(
                io.exists(hint),
                "%s: has no metadata/version-hint.text, so only its catalog knows what is in force:"
                        + " name the catalog, as in iceberg: https://…, or for one moment the file"
                        + " …/metadata/NAME.metadata.json",
                place);
        String text = Files.readString(io.local(hint), StandardCharsets.UTF_8).strip();
        io.forget(hint);
        ConfigException.check(
                text.matches("[0-9]{1,9}"),
                "%s: is to hold a number, and holds another text",
                hint);
        int version = Integer.parseInt(text);
        String found = versioned(io, metadata, version);
        if (found == null) {
            throw new ConfigException(
                    "%s: names version %d, whose file is not there".formatted(hint, version));
        }
        // The hint may be behind: a writer sets it after its file.
        for (int i = 0; i < MOST_VERSIONS_AFTER_THE_HINT; i++) {
            String next = versioned(io, metadata, ++version);
            if (next == null) {
                break;
            }
            found = next;
        }
        return found;
    }

    private static @Nullable String versioned(StoredFileIo io, String metadata, int version)
            throws IOException {
        for (String ending : new String[] {METADATA, ".gz" + METADATA}) {
            String file = metadata + "v" + version + ending;
            if (io.exists(file)) {
                return file;
            }
        }
        return null;
    }

    private Table fromCatalog() throws IOException {
        Map<String, String> properties = new HashMap<>();
        properties.put(CatalogProperties.URI, options.place());
        properties.put("rest.client.connection-timeout-ms", TIMEOUT_MS);
        properties.put("rest.client.socket-timeout-ms", TIMEOUT_MS);
        if (options.warehouse() != null) {
            properties.put(CatalogProperties.WAREHOUSE_LOCATION, options.warehouse());
        }
        Secret token = options.token();
        if (token != null) {
            properties.put("token", token.read(environment));
            properties.put("token-refresh-enabled", "false");
        }
        String name = String.valueOf(options.table());
        RESTSessionCatalog catalog =
                new RESTSessionCatalog(
                        config ->
                                HTTPClient.builder(config)
                                        .uri(config.get(CatalogProperties.URI))
                                        .build(),
                        (context, given) -> new StoredFileIo(folder, environment, given));
        try (catalog) {
            catalog.initialize("medley", properties);
            return catalog.loadTable(SessionContext.createEmpty(), TableIdentifier.parse(name));
        } catch (NoSuchTableException e) {
            throw new ConfigException(
                    "%s: the catalog has no such table".formatted(options.name()), e);
        } catch (NotAuthorizedException e) {
            throw new ConfigException(
                    "%s: the catalog does not let in: set or renew the token"
                            .formatted(options.name()),
                    e);
        } catch (RESTException e) {
            throw new IOException(
                    "%s: the catalog does not answer: %s".formatted(options.name(), e.getMessage()),
                    e);
        }
    }
}
