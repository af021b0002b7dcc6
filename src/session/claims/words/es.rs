//! Spanish.

use super::Role::{
    self, After, All, And, At, Be, But, Elsewhere, Except, Expected, Fail, Failures, Filler, Fine, Fixed, Goal, Good, If, Makes, Might,
    Name, No, Not, Now, Number, Of, Old, Part, Pass, Past, Per, Plan, Run, Says, Since, That, They, Thing, To, Trouble, Undone, Verify,
    Warnings, Was, Well, Who, Whole,
};
use crate::shell::gates::Gate::{Build, Format, Lint, Test, Typecheck};

pub(super) const WORDS: &super::Words = &[
    (Role::Steps, "pasos de verificación, pasos de validación"),
    (Role::Remaining, "restantes"),
    (Role::Left, "faltan, por arreglar"),
    (Role::Percent, "por ciento"),
    (Role::Else, "todo lo demás, lo demás"),
    (
        Role::Gate(Test),
        "pruebas, suite, suite de tests, suite de pruebas, batería de pruebas, conjunto de pruebas, pruebas unitarias, tests unitarios, \
         cada test, cada prueba",
    ),
    (Name(Test), "prueba"),
    (Role::Gate(Lint), "análisis estático, comprobación de lint"),
    (Role::Gate(Format), "formato, formateo, comprobación de formato, verificación de formato"),
    (Role::Gate(Typecheck), "comprobación de tipos, verificación de tipos, chequeo de tipos, tipado, revisión de tipos"),
    (Role::Gate(Build), "compilación, construcción, builds, build de producción"),
    (Name(Typecheck), "tipos"),
    (Role::Checks, "comprobaciones, verificaciones, chequeos, controles, validaciones"),
    (Role::Everything, "todo"),
    (All, "todos, todas, ambos, ambas, cada, totalidad"),
    (Whole, "toda, entera, completa, completo, entero"),
    (
        Part,
        "demás, algunos, algunas, mayoría, nuevos, nuevas, nuevo, nueva, otros, otras, otro, otra, estos, estas, mis, primeros, mitad, \
         casi, afectados, modificados, añadidos, solo, sólo, solamente, varios, varias, unos, pocas, pocos, muchos, resto",
    ),
    (
        Filler,
        "puedes fusionar, puede fusionar, puedes mergear, listo para fusionar, el, la, los, las, un, una, lo, nuestros, también, \
         de nuevo, otra vez, unitarios, unitarias, de integración, existentes, correctamente, sin excepción, por completo, localmente, \
         en local, ya, listo, hecho, terminado, finalmente, además, aquí, resultado, resultados, resumen, proyecto completo, verificado, \
         confirmado, así, siguen, sigue, continúan, en total, total, ahora mismo, exitosamente, como antes, completamente, estado, \
         perfectamente",
    ),
    (They, "ellos, ellas, que todos, los cuales"),
    (Thing, "código, proyecto, programa, aplicación, paquete, crate, biblioteca, librería"),
    (Who, "yo, nosotros, usted, tú, ustedes"),
    (
        Be,
        "se completó, se completa, concluyó, concluye, es, son, está, están, queda, quedan, quedó, reporta, reportan, muestra, termina, \
         terminan, terminó, finaliza, finalizó, se ejecuta, se ejecutan, se ejecutó, corre, corren, ha, han, sido, devuelve, da, \
         encuentra, resultó, pasando y, sale, salen, fue, fueron",
    ),
    (Was, "estaba, estaban, era, eran, había, habían"),
    (Pass, "pasan, pasa, pasó, pasaron, pasado, superadas, superados, superada, superado, superan, supera, aprobadas, aprobados, aprueban"),
    (
        Good,
        "ya no falla, ya no fallan, se ejecutaron con éxito, se ejecutó con éxito, se completaron con éxito, se completó con éxito, \
         en verde, verde, verdes, limpio, limpia, limpios, limpias, pasando, exitoso, exitosa, exitosos, exitosas, \
         se ejecutaron correctamente, se ejecutó correctamente, se completó correctamente, se ejecutan correctamente, con éxito, \
         satisfactoria, satisfactorio, impecable",
    ),
    (Fine, "bien, correcto, correcta, correctos, correctas, contento"),
    (Makes(Build), "compila, se compila, se construye"),
    (Well, "limpiamente, sin incidencias"),
    (
        No,
        "ningún, ninguna, ninguno, cero, no hay, sin, no reporta, no reportan, no muestra, no da, no encuentra, no tiene, ya no hay, \
         no quedan, no queda, no hubo, no detecta, no arroja, no informa de",
    ),
    (Trouble, "error, errores, problema, problemas, incidencias, violaciones, quejas"),
    (Warnings, "advertencia, advertencias, aviso, avisos, warnings"),
    (Failures, "fallos, fallo, fallas"),
    (
        Not,
        "a veces, de forma intermitente, intermitentemente, de vez en cuando, en ocasiones, ocasionalmente, no, nunca, jamás, tampoco, \
         ni, no todos, no todas, imposible, apenas, nada, nadie, ya no, sin haber",
    ),
    (
        Might,
        "debería, deberían, debe, deben, deberá, puede, pueden, podría, podrían, podrá, va, van, voy, vamos, será, serán, sería, serían, \
         probablemente, seguramente, quizás, quizá, tal vez, espero, esperemos, ojalá, aparentemente, parece, parecen, creo, supongo, \
         hay que, tiene que, tienen que, quiero, déjame, déjeme, intentar, intento, por favor, en teoría, asumo, hace, hacer",
    ),
    (
        If,
        "si, cuando, en cuanto, una vez, una vez que, hasta, hasta que, siempre que, a menos que, mientras no, tan pronto como, donde, \
         cuántos, cuántas, con tal de que, en caso de que",
    ),
    (
        Plan,
        "raro que, extraño que, curioso que, sorprendente que, sospechoso que, para que, para, a fin de que, asegúrate, asegúrese, \
         asegurarme, asegurar, asegurarnos, asegurarse, garantizar, garantiza, de modo que, de forma que, requiere, exige, necesita, \
         necesitamos, siguiente paso, a continuación, espera a que, esperar a que",
    ),
    (
        Verify,
        "comprobar, comprueba, compruebe, verificar, verifica, verifique, confirmar, confirma, confirme, revisar, revisa, validar, \
         valida, ver si",
    ),
    (
        Goal,
        "criterio de éxito, criterios de éxito, criterio de aceptación, criterio, criterios, condición, condiciones, condición de fusión, \
         precondición, precondiciones, requisito, requisito previo, lista de verificación, lista de comprobación, falta, por terminar, \
         objetivo, objetivos, pendiente, pendientes, criterios de aceptación, próximos pasos, plan, plan de pruebas, requisitos, \
         por hacer, esperado, resultado esperado, ejemplo",
    ),
    (
        Says,
        "dice, dicen, dijo, dijiste, dijeron, afirma, afirman, menciona, indica, indican, asegura que, sostiene, señala, mencionaste, \
         comentaste, cuenta",
    ),
    (Per, "según, de acuerdo con, como dijiste, como indica"),
    (
        Past,
        "antes, anteriormente, previamente, inicialmente, ayer, al principio, originalmente, antes de, hasta ahora, la semana pasada, \
         antes de mi",
    ),
    (Now, "ahora, actualmente, desde entonces, hoy"),
    (After, "después de, tras, después de que"),
    (
        Role::Trial,
        "sin mi cambio, sin mis cambios, sin el cambio, sin los cambios, sin mi parche, sin el parche, sin este cambio, sin mi commit, \
         sin mi arreglo, revertido, revertida, revertidos, revirtiendo, deshecho, deshecha, git stash, bisect, commit padre, \
         commit anterior, commit previo, en aislamiento, de forma aislada, por separado, individualmente, uno por uno, versión antigua, \
         versión anterior",
    ),
    (
        Elsewhere,
        "main, master, develop, integración continua, rama, rama principal, manualmente, a mano, en producción, navegador, remoto, \
         staging, upstream, en tu máquina, solicitud de cambios",
    ),
    (
        Fail,
        "falla, fallan, falló, fallaron, fallando, fallido, fallidos, fallida, fallidas, roto, rotos, rota, rotas, en rojo, rojo, rojos, \
         se rompe, se rompen",
    ),
    (
        Undone,
        "omitidos, omitidas, omitido, omitida, saltados, saltadas, sin verificar, sin comprobar, sin ejecutar, bloqueado, bloqueados, \
         bloqueada, bloqueadas, no verificado, en ejecución, pendiente de, interrumpido, desactivados, inconcluso, se colgó, se cayó, \
         tiempo agotado",
    ),
    (Run, "ejecutar, ejecutado, ejecuté, correr, corrido, probar, probado, verificado que, lanzar"),
    (Old, "preexistentes, preexistente, inestables, inestable, conocidos, conocidas, ya existentes, intermitentes"),
    (Expected, "como se esperaba, como era de esperar, según lo esperado, como estaba previsto"),
    (Fixed, "corregido, corregí, corrige, corregir, arreglado, arreglé, solucionado, resuelto, resuelve, eliminado"),
    (Except, "salvo, excepto, menos, a excepción de, con excepción de, aparte de"),
    (But, "pero, sin embargo, aunque, no obstante, mientras que"),
    (And, "y, o, e, así como, además de"),
    (Since, "porque, ya que, puesto que"),
    (That, "que"),
    (Of, "de, del, de la, de los, de las"),
    (To, "a, al, por, a través de, como, un mensaje"),
    (At, "en, con, bajo, desde, contra, mediante, sin cambios, entre, debido"),
    (Number(1), "uno"),
    (Number(2), "dos"),
    (Number(3), "tres"),
    (Number(4), "cuatro"),
    (Number(5), "cinco"),
];
