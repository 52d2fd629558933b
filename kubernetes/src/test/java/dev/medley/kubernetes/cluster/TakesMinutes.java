package dev.medley.kubernetes.cluster;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Marks a test with real engines that takes minutes, and so runs when it is asked for. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@EnabledIfEnvironmentVariable(
        named = "MEDLEY_ENGINES",
        matches = ".+",
        disabledReason = "it takes minutes: MEDLEY_ENGINES=1 runs it (docs/kubernetes.md)")
public @interface TakesMinutes {}
