package dev.medley.base.job;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The name of a model family in job files. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface Family {
    String value();
}
