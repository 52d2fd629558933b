/**
 * Measures how loaded a server is: requests in flight, and how long one takes at that many.
 *
 * <p>May use: nothing but the JDK. Never: clocks (the time is an argument), Armeria.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.serving.load;

import org.jspecify.annotations.NullMarked;
