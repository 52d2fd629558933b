package dev.medley.hub.http;

import dev.medley.base.ConfigException;
import dev.medley.base.text.DidYouMean;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Names what a token is for, and so what its owner may do. */
public enum Role {
    /** May do everything, with everybody's jobs. */
    ADMIN,
    /** May look, submit, and steer its own jobs. */
    USER,
    /** May look. */
    VIEWER,
    /** May offer machines, and nothing else. */
    AGENT;

    /**
     * The role of a word.
     *
     * @throws ConfigException if there is none
     */
    public static Role parse(String word) {
        for (Role role : values()) {
            if (role.word().equals(word)) {
                return role;
            }
        }
        List<String> words = Stream.of(values()).map(Role::word).toList();
        String meant = DidYouMean.of(word, words).map(" Did you mean %s?"::formatted).orElse("");
        throw new ConfigException(
                "'%s' is no role: give %s.%s".formatted(word, String.join(", ", words), meant));
    }

    boolean may(Right right) {
        return switch (this) {
            case ADMIN -> true;
            case USER -> right != Right.REPORT;
            case VIEWER -> right == Right.LOOK;
            case AGENT -> right == Right.REPORT;
        };
    }

    /** As users write it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Who has a right, as a sentence names them. */
    static List<String> having(Right right) {
        return Stream.of(values()).filter(role -> role.may(right)).map(Role::word).toList();
    }
}
