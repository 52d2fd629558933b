/** Under construction. */
package dev.medley.control;
