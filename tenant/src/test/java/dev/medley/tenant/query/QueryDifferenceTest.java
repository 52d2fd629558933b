package dev.medley.tenant.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.store.file.TemporaryFolder;
import dev.medley.tenant.TenantCaller;
import dev.medley.tenant.read.ReadDenied;
import dev.medley.tenant.read.SharedTables;
import dev.medley.tenant.read.TenantTables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Asks a shared table under a policy, and a copy that holds only what the caller may see under no
 * policy at all: answers, counts and errors have to be equal byte for byte. {@code
 * -Dmedley.seeds=N} for N worlds of 20 questions each.
 */
@Tag("property")
class QueryDifferenceTest {
    private static final int QUESTIONS = 20;

    @TempDir Path folder;

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldAnswerAsACopyOfTheCallersOwnRowsWould(long seed) throws Exception {
        SharedWorld world = new SharedWorld(folder, seed);
        RandomGenerator random = Seeds.generator(seed, 1);
        DrawnQuery drawn = new DrawnQuery(random);
        List<String> errors = new ArrayList<>();
        for (int i = 0; i < QUESTIONS; i++) {
            TenantCaller caller = SharedWorld.callers().get(random.nextInt(3));
            JsonNode query = drawn.draw();
            String own = answer(world.shared(), caller, query);
            String copy = answer(world.copyFor(caller), caller, query);
            assertEquals(copy, own, () -> "seed %d, %s: %s".formatted(seed, caller.name(), query));
            if (!own.startsWith("{")) {
                errors.add(own);
                assertFalse(own.contains(SharedTables.CANARY), own);
            }
        }
        assertTrue(errors.size() < QUESTIONS, () -> "no question was sound: " + errors);
    }

    private static String answer(TenantTables tables, TenantCaller caller, JsonNode query)
            throws IOException {
        Path work = TemporaryFolder.make("query");
        try {
            return new TenantQueries(tables).answer(caller, QueryReader.read(query), work).json();
        } catch (ConfigException | ReadDenied e) {
            return e.getClass().getSimpleName() + ": " + e.getMessage();
        } finally {
            java.nio.file.Files.delete(work);
        }
    }
}
