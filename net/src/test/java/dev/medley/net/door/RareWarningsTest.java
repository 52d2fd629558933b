package dev.medley.net.door;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.time.Clock;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.helpers.MessageFormatter;

@Tag("unit")
class RareWarningsTest {
    private final List<String> told = new ArrayList<>();
    private long nowNs;

    @Test
    void shouldWarnOnceAMinuteForEachKindAndSayOfHowManyItKeptSilent() {
        RareWarnings warnings = new RareWarnings(log(), clock());
        for (int i = 0; i < 1000; i++) {
            warnings.warn("noise", "caller " + i);
        }
        warnings.warn("tls", "another");
        assertThat(told).containsExactly("caller 0", "another");
        nowNs = 61_000_000_000L;
        warnings.warn("noise", "one more");
        warnings.warn("noise", "and one");
        assertThat(told)
                .hasSize(3)
                .last()
                .isEqualTo("one more (and 999 more of the kind since the last warning)");
    }

    private Clock clock() {
        return new Clock() {
            @Override
            public long nowNs() {
                return nowNs;
            }

            @Override
            public long wallMillis() {
                return 0;
            }
        };
    }

    private Logger log() {
        return (Logger)
                Proxy.newProxyInstance(
                        Logger.class.getClassLoader(),
                        new Class<?>[] {Logger.class},
                        (proxy, method, arguments) -> {
                            assertThat(method.getName()).isEqualTo("warn");
                            Object[] values = new Object[arguments.length - 1];
                            System.arraycopy(arguments, 1, values, 0, values.length);
                            String format = (String) arguments[0];
                            return told.add(
                                    MessageFormatter.arrayFormat(format, values).getMessage());
                        });
    }
}
