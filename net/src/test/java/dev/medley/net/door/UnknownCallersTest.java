package dev.medley.net.door;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class UnknownCallersTest {
    private final List<String> sentAway = new ArrayList<>();

    @Test
    void theNewestShouldTakeThePlaceOfTheEldestThatIsStillThere() {
        UnknownCallers strangers = new UnknownCallers(2);
        Closeable one = caller("one");
        Closeable two = caller("two");
        Closeable three = caller("three");
        assertThat(strangers.came(one)).isTrue();
        assertThat(strangers.came(two)).isTrue();
        strangers.left(one);
        assertThat(strangers.came(three)).isTrue();
        assertThat(sentAway).isEmpty();
        assertThat(strangers.came(caller("four"))).isFalse();
        assertThat(sentAway).containsExactly("two");
        strangers.sendEldestAway();
        assertThat(sentAway).containsExactly("two", "three");
    }

    private Closeable caller(String name) {
        return () -> sentAway.add(name);
    }
}
