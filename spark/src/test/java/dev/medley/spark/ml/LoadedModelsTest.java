package dev.medley.spark.ml;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class LoadedModelsTest {
    private final List<String> closed = new ArrayList<>();
    private final List<String> loaded = new ArrayList<>();

    private LoadedModels<Runnable>.Use use(LoadedModels<Runnable> models, String name, long bytes) {
        return models.use(
                name,
                bytes,
                () -> {
                    loaded.add(name);
                    return () -> closed.add(name);
                });
    }

    @Test
    void shouldCloseWhatHasNoRoomWhenNobodyComputesWithIt() {
        LoadedModels<Runnable> models = new LoadedModels<>(2, 100, Runnable::run);
        LoadedModels<Runnable>.Use first = use(models, "a", 1);
        use(models, "b", 1).close();
        use(models, "c", 1).close(); // a is the eldest, and in use.
        assertThat(closed).isEmpty();
        LoadedModels<Runnable>.Use again = use(models, "a", 1); // Loaded anew: the other is gone.
        assertThat(loaded).containsExactly("a", "b", "c", "a");
        assertThat(closed).containsExactly("b");
        first.close();
        first.close();
        assertThat(closed).containsExactly("b", "a");
        again.close();
        use(models, "a", 1).close();
        assertThat(loaded).hasSize(4);
        assertThat(closed).hasSize(2);
    }

    @Test
    void shouldKeepNoMoreThanThereIsMemoryFor() {
        LoadedModels<Runnable> models = new LoadedModels<>(8, 100, Runnable::run);
        use(models, "a", 60).close();
        use(models, "b", 30).close();
        assertThat(closed).isEmpty();
        use(models, "c", 300).close(); // The last one always stays.
        assertThat(closed).containsExactly("a", "b");
        use(models, "c", 300).close();
        assertThat(loaded).containsExactly("a", "b", "c");
    }
}
