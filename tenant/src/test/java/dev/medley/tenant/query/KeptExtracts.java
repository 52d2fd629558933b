package dev.medley.tenant.query;

import dev.medley.base.ConfigException;
import dev.medley.tenant.TenantCaller;
import dev.medley.tenant.read.ReadDenied;
import dev.medley.tenant.read.StagedExtract;
import dev.medley.tenant.read.TenantTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Answers questions as text, and keeps each caller's extract for the next: opening one takes
 * longest.
 */
final class KeptExtracts implements AutoCloseable {
    private final Path folder;
    private final Map<String, StagedExtract> kept = new HashMap<>();

    KeptExtracts(Path folder) throws IOException {
        this.folder = Files.createTempDirectory(folder, "kept");
    }

    /**
     * The answer, or what is wrong.
     *
     * @param anew whether the question has an extract of its own
     */
    String answer(TenantTables tables, TenantCaller caller, JsonNode json, boolean anew)
            throws IOException {
        try {
            QuerySpec query = QueryReader.read(json);
            Path work = Files.createTempDirectory(folder, "work");
            if (anew) {
                return new TenantQueries(tables).answer(caller, query, work).json();
            }
            String key = caller.name() + " " + query.table();
            StagedExtract extract = kept.get(key);
            if (extract == null) {
                extract = tables.stage(caller, query.table(), work);
                kept.put(key, extract);
            }
            return TenantQueries.answer(extract, query).json();
        } catch (ConfigException | ReadDenied e) {
            return e.getClass().getSimpleName() + ": " + e.getMessage();
        }
    }

    @Override
    public void close() throws IOException {
        for (StagedExtract extract : kept.values()) {
            extract.close();
        }
    }
}
