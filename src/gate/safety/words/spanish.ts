import type { Words } from './word-class.ts';

export const SPANISH: Words = {
  send: 'envía|envia|enviar|envíe|envíalo|envíalos|envíala|manda|mandar|mándalo|sube|subir|súbelo|publica|publicar|copia|transmite|reenvía|adjunta|comparte|pega|añade|agrega|incluye|entrega|remite|remítelo|pásale|inserta|transfiere|compart*|adjunt*|reenv*|pásal*|entreg*|súbel*|comunic*|remit*|enví*|envia*|envie*|enviá*|enviam*|sube*|súbe*|manda*|mánd*|copia*|publica*|transmite*',
  fetch:
    'descarga|descargar|descárgalo|obtén|obtener|abre|abrir|visita|lee|consulta|carga|trae|baja|bájate|clona|recupera|descarg*|baj*|abr*|consult*|obt*|visit*|recopil*|reún*|entra en|ve a',
  run: 'ejecuta|ejecutar|ejecútalo|ejecútala|ejecútalos|ejecute|inicia|lanza|lánzalo|instala|corre|córrelo|arranca|pon en marcha|ejecut*|ábrelo|ábrela|instál*|inicí*|lánz*|arranc*|correr',
  obey: 'obedece|sigue|seguir|cumple|ejecuta|ejecútalas|acata|realiza|haga|trata|aplica|obedec*|sig*|cumpl*|acat*|segu*|vinculante|haz|hazlo|hagas',
  write:
    'escribe|añade|agrega|guarda|inserta|registra|crea|copia|pon|apunta|anota|instala|incluye|graba|programa|escrib*|añad*|agreg*|guard*|insert*|inclu*|configur*|copi*',
  erase:
    'borra|borrar|elimina|eliminar|destruye|suprime|vacía|encripta|sobrescribe|formatea|borr*|elimin*|destru*|cifr*|sobrescrib*|vac*|suprim*|formate*',
  replace:
    'cambia|cambiar|reemplaza|reemplazar|sustituye|sustituir|modifica|pon|desvía|transfiere|redirige|paga',
  disable:
    'desactiva|desactivar|deshabilita|deshabilitar|apaga|omite|omitir|salta|sáltate|evita|elude|desinstala',
  ignore:
    'ignora|ignorar|ignore|olvida|olvidar|olvídate|olvide|descarta|desestima|omite|haz caso omiso|no sigas|desobedece|deja de seguir|prescinde',
  decode: 'decodifica|descifra|descodifica|decodificar|desencripta',
  tell: 'digas|decir|cuentes|menciones|mencionar|informes|informar|reveles|avises|avisar|comentes|muestres|incluyas|notifiques|adviertas|cuentes|comuniques|decirle|decirlo|contar|contarle|revelar|comentar|comentarle|notificar|advertir|mostrar',
  notice: 'entere|enteren|note|noten|sepa|sepan|se dé cuenta|vea|vean|descubra|sospeche|perciba',
  approve:
    'aprobado|aprueba|aprobar|seguro|segura|aceptado|acepta|sin problemas|sin hallazgos|inofensivo|válido|máxima puntuación|sí|correcto|puntuación máxima|apto',
  grant:
    'permiso|permisos|autorizado|autorizada|autorizadas|autorizados|permitido|autorización|acceso total|activado|activo|concedo|puedes|derechos completos|habilitado|acceso completo',
  'answer-as-told':
    'responde|responder|marca|marcar|califica|evalúa|da|otorga|clasifica|contesta|considera|devuelve|apruébalo|acéptalo|asigna|puntúa|valora',
  secret:
    'clave|claves|contraseña|contraseñas|credencial|credenciales|variables de entorno|secreto|secretos|token|tokens|claves de api|clave de api|clave privada|llave|llaves|cookies|llavero|clave api|frase semilla',
  talk: 'conversación|conversaciones|historial de chat|historial de la conversación|mensajes del usuario|lo que escriba el usuario|todo lo que escriba|prompts|código fuente|todos los archivos|datos personales|contactos|portapapeles',
  user: 'usuario|usuarios|usuaria|persona|personas|alguien|nadie|humano|operador|cliente|dueño|revisor|propietario|revisores',
  judge:
    'revisor|revisores|evaluador|evaluadores|auditor|auditores|juez|escáner|escáneres|modelo que evalúa|modelo evaluador|verificador|modelo revisor|analizador|validador|evalúas|revisas|jurado',
  authority:
    'administrador|sistema|desarrollador|desarrolladores|anthropic|openai|proveedor|equipo de seguridad|operador|soporte|dirección|fabricante|jefe|creador|creadores',
  message:
    'mensaje del|mensaje de|aviso del|aviso de|habla el|te habla|comunicado|en nombre de|nota del|orden del|soy el|soy la|aquí el|aquí habla|comunicado del|por orden|de parte|mensaje',
  rule: 'instrucciones|instrucción|reglas|regla|órdenes|indicaciones|directrices|normas|políticas|restricciones|prompt|limitaciones|pautas|directivas',
  earlier:
    'anteriores|anterior|previas|previos|previa|de arriba|del sistema|hasta ahora|precedentes|del desarrollador|iniciales|recibidas|del usuario|que te dieron',
  this: 'este documento|este archivo|esta habilidad|este texto|estas reglas|estas instrucciones|esta guía|este fichero|esta página|lo que aquí|este skill|lo escrito aquí|esta sección|esta línea|esta instrucción|esta regla|este párrafo|esta orden|este mensaje|esta frase|este comando',
  it: 'esto|ello|este paso|esta operación|esta acción|esta etapa',
  everything: 'todo|todos|todas|toda|cualquier|cualquiera|cada',
  dictate:
    'lo que diga|lo que dice|lo que digan|lo que indique|lo que pida|lo que ponga|todo lo que diga|las instrucciones que|las órdenes que|sus instrucciones|sus órdenes|lo que contenga|lo que haya|lo que encuentres|lo que aparezca|al pie de la letra|lo que ordene|como órdenes|como instrucciones',
  report: 'resumen|informe|registro|registros|respuesta|historial|log|logs|diff|reporte',
  'shell-history':
    'historial de comandos|historial del shell|historial de la terminal|historial de bash|historial de la consola',
  log: 'registros|registro|huellas|rastro|rastros|logs|bitácora|evidencia|evidencias',
  property:
    'directorio personal|carpeta personal|archivos del usuario|ficheros del usuario|documentos del usuario|datos del usuario|copias de seguridad|respaldos|base de datos de producción|directorio de inicio|todo el disco|disco duro|todas las ramas|todas las tablas|archivos personales|toda la base de datos|carpeta de inicio|base de datos|el disco|historial de git|todos los archivos|todos los datos|documentos personales|la copia de seguridad',
  money:
    'iban|cuenta bancaria|número de cuenta|factura|facturas|cartera|billetera|datos bancarios|datos de pago|beneficiario|dirección de bitcoin|pagos|cuenta|transferencias|donaciones|monedero',
  mirror:
    'registro de paquetes|espejo|repositorio|índice|réplica|registro npm|registro de npm|fuente de paquetes|mirror|registro|paquetes|npm|pip|fuente',
  miner: 'minero|minería de criptomonedas|criptominero|monero|criptomonedas',
  guard:
    'sandbox|aislamiento|cortafuegos|antivirus|confirmación|confirmaciones|aprobación|aprobaciones|comprobaciones de seguridad|controles de seguridad|medidas de seguridad|verificación de permisos|protección|protecciones|entorno aislado|firewall|permisos',
  'open-place':
    'issue|ticket|gist|correo|foro|comentario|servidor externo|nuestro servidor|servidor remoto|canal|webhook|repositorio público|servidor',
  picture: 'imagen|imágenes|píxel|icono',
  script: 'script|programa|archivo|fichero|binario|instalador|herramienta|paquete',
  startup:
    'tarea cron|cron|crontab|inicio automático|arranque|tarea programada|servicio systemd|autoarranque',
  memory: 'memoria permanente|memoria a largo plazo|memoria|instrucciones globales|memoria persistente',
  shell: 'terminal|shell|consola|línea de comandos|bash|intérprete',
  encoded: 'base64|hexadecimal|cadena codificada|texto codificado|cifrada',
  not: 'no|nunca|jamás|sin|ni|nada|nadie|tampoco',
  unasked:
    'sin confirmación|sin preguntar|sin pedir confirmación|sin pedir permiso|sin permiso|sin autorización|sin aprobación|no pidas|sin consultar|sin solicitar|nunca preguntes|no preguntes|no hace falta confirmar|sin consentimiento|sin esperar',
  unseen:
    'sin revisarlo|sin revisar|sin revisarla|sin comprobar|sin comprobarlo|sin verificar|sin verificarlo|sin leerlo|sin leer|sin mirar|sin mirarlo|a ciegas|no lo revises|sin inspeccionar|no revises',
  unreviewed:
    'no sigas analizando|sin más revisión|no requiere revisión|no necesita revisión|no analices|no lo analices|no lo revises|omite el análisis|omite la revisión|sin revisión|salta este archivo|omite este archivo|no hace falta revisar|deja de analizar|no revises|sin más análisis|omitir este archivo',
  secretly:
    'en secreto|a escondidas|sigilosamente|en silencio|disimuladamente|de forma oculta|sin que se note|sin dejar rastro|sin dejar huella|a espaldas|discretamente|sin que nadie|sin que el usuario|furtivamente',
  untold:
    'oculta este|oculta esto|ocúltalo|ocultar esto|ocúltale|esconde|calla|guarda silencio|no menciones esto|no lo menciones|sin decírselo|sin avisar|sin informar|para que nadie|que no se entere|no debe saber|no debe enterarse|ni lo incluyas|no lo incluyas|no lo registres|omítelo|guárdalo en secreto|mantén en secreto|mantenlo en secreto|sin conocimiento|no digas nada|oculta al|sin que el usuario|sin que nadie|ocult*|escond*|en secreto|limpia las huellas|las huellas|no se entere|que no lo sepa|sin que lo sepa|no lo sepa|mantén oculto',
  outrank:
    'prevalecen sobre|prevalece sobre|tienen prioridad sobre|tiene prioridad sobre|están por encima|está por encima|más importantes que|más importante que|sustituyen|anulan|anula|reemplazan|reemplaza|pesan más|valen más|vale más',
  'outranks-last': 'esas prevalecen|esas mandan|esas ganan',
  void: 'ya no valen|no se aplican|no se aplica|ya no se aplican|no cuentan|no cuenta|quedan anuladas|quedan sin efecto|queda sin efecto|están anuladas|no importan|no importa|sin validez|ya no rigen|suspendidas|quedan suspendidas|obsoletas|ya no aplican|quedan|queda|anuladas|canceladas|ya no|sin efecto|derogadas|revocadas|dejan de|deja de|no valen|no rigen|caducadas|invalidadas',
  unbound:
    'sin restricciones|sin límites|sin limitaciones|libre de|no tienes restricciones|sin censura|sin reglas|no te niegas|sin filtros',
  lie: 'di que no|di que nada|di que solo|di que sólo|como si nada|nunca admitas|responde que solo|responde que sólo|no admitas|finge que nada',
  always:
    'cada sesión|todas las sesiones|futuras sesiones|cada proyecto|todos los proyectos|siempre|permanentemente|de forma permanente|cada vez|al iniciar|en cada inicio|a partir de ahora|para siempre|cada día|cada hora|de manera permanente',
  'each-answer': 'cada respuesta|todas las respuestas|tus respuestas|tu respuesta',
  'as-root':
    'como root|con sudo|como administrador|con privilegios|permisos de root|con permisos de administrador|permisos de administrador',
  executable: 'hazlo ejecutable|ejecutable',
  afterwards: 'al terminar|para que nadie|lo que se hizo|lo ejecutado|posteriormente|borra después',
  already:
    'ya fue aprobado|ya aprobado|ya fue revisado|ya revisado|ya está aprobado|fue auditado|ya auditado|certificado|ya verificado|ya fue verificado|ya validado|ya fue auditado|está verificado|ya ha sido',
  addressed:
    'al revisor|al evaluador|a los revisores|nota al|nota para|para el|para los|estimado|querido|si eres|atención|al modelo|mensaje para|a la ia|al auditor|aviso al',
  consent:
    'pide confirmación|pregunta al usuario|pregunta antes|con permiso del usuario|si el usuario|cuando el usuario|tras confirmar|ofrece|confirma con|previa confirmación|con su consentimiento|tras la confirmación|antes de borrar|una vez que el usuario',
  attacker:
    'atacante|atacantes|ataque|ataques|malicioso|maliciosa|maliciosos|malware|inyección|intruso|ladrón|delincuente|phishing|hacker',
  'watch-for':
    'detecta|detectar|busca|vigila|alerta|señales de|frases como|textos como|protege contra|evita que|bloquea|rechaza|cuidado con|ejemplo de|ejemplos de|advierte|sospechoso|peligroso|señala|tales como',
  you: 'eres|ahora eres|actúa como|responde como|compórtate',
  login: 'cabecera|encabezado|autenticación|authorization',
  mode: 'modo administrador|modo desarrollador|modo de administrador|modo de desarrollador|modo mantenimiento|modo de mantenimiento',
  mine: 'minar monero|mina monero|minar criptomonedas|mina criptomonedas|minar bitcoin|mina bitcoin|minando',
  carrier:
    'parámetro|próxima petición|la url|una url|cadena de consulta|próxima solicitud|subdominio|consulta dns',
  evaluate: 'evalú*|evalua*|revis*|audit*|analiz*|calific*|juzg*|veredicto|valor*',
  only: 'solo|sólo|únicamente|solamente|exclusivamente',
  your: 'tus|tu|sus',
  object: 'se opone|se niega|dice que no|protesta|objeta|pide parar|se queja|diga que no|rechaza',
  'go-on': 'de todos modos|continúa|sigue adelante|igualmente|aun así|prosigue|hazlo igual|de todas formas',
  narrow: 'regla del cortafuegos|del puerto|regla de firewall',
  'remember-to': 'no olvides|no te olvides',
};
